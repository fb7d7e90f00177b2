import * as field from '../../../schema/field-errors.js'
import { fieldPath } from '../../../schema/field-path.js'
import type { Draft } from '../../../schema/infer.js'
import { declareStrategy } from '../../../schema/strategy.js'
import { keepMetadata } from '../../metadata/status-metadata.js'
import { validateConditions } from '../../validation/conditions.js'
import { validateDriverName, validatePoolName, validateShortName } from '../v1/device/name-validation.js'
import { validateDeviceTaint } from '../v1/device/taint-validation.js'
import { DeviceTaintRule, type DeviceTaintRuleSpec, type DeviceTaintSelector } from './device-taint-rule.js'

const specPath = fieldPath('spec')
const conditionsPath = fieldPath('status', 'conditions')
const mostConditions = 8

export const deviceTaintRuleStrategy = declareStrategy<DeviceTaintRule>(DeviceTaintRule, {
  intent: ({ spec }) => [spec],
  prepareCreate(draft, { time }) {
    stampTaint(draft, time)
    draft.status = {}
  },
  prepareUpdate(draft, old, { time }) {
    stampTaint(draft, time)
    draft.status = old.status as Draft<DeviceTaintRule['status']>
  },
  validate: ({ spec }) => validateSpec(spec, undefined),
  validateUpdate: ({ spec }, old) => validateSpec(spec, old.spec),
  subresources: {
    status: {
      prepareUpdate(draft, old) {
        draft.spec = old.spec as Draft<DeviceTaintRuleSpec>
        keepMetadata(draft, old)
      },
      validateUpdate: ({ status: { conditions = [] } }) => [
        ...validateConditions(conditions, conditionsPath),
        ...(conditions.length > mostConditions
          ? [field.tooMany(conditionsPath, conditions.length, mostConditions)]
          : []),
      ],
    },
  },
})

/** Sets the absent time of the taint. */
function stampTaint(draft: Draft<DeviceTaintRule>, time: string): void {
  const { taint } = draft.spec
  if (!taint.timeAdded) draft.spec = { ...draft.spec, taint: { ...taint, timeAdded: time } }
}

function validateSpec(spec: DeviceTaintRuleSpec, old: DeviceTaintRuleSpec | undefined): readonly field.FieldError[] {
  return [
    ...(spec.deviceSelector ? validateSelector(spec.deviceSelector) : []),
    ...validateDeviceTaint(spec.taint, specPath.child('taint'), old?.taint),
  ]
}

function validateSelector({ driver, pool, device }: DeviceTaintSelector): readonly field.FieldError[] {
  const path = specPath.child('deviceSelector')
  return [
    ...(driver === undefined ? [] : validateDriverName(driver, path.child('driver'))),
    ...(pool === undefined ? [] : validatePoolName(pool, path.child('pool'))),
    ...(device === undefined ? [] : validateShortName(device, path.child('device'))),
  ]
}
