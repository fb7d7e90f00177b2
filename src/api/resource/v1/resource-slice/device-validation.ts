/** Validates one device of a slice. */
import * as field from '../../../../schema/field-errors.js'
import type { FieldPath } from '../../../../schema/field-path.js'
import { dnsSubdomain } from '../../../../schema/names.js'
import { parseSemanticVersion } from '../../../../schema/values/semantic-version.js'
import { validateNodeSelector } from '../../../core/v1/affinity/node-selector-validation.js'
import { isSame } from '../../../validation/immutability.js'
import { validateList, validateMap } from '../device/list-validation.js'
import { longestQualifiedName, validateQualifiedName, validateShortName } from '../device/name-validation.js'
import { validateDeviceTaint } from '../device/taint-validation.js'
import { validateBindingConditions } from '../resource-claim/allocation-validation.js'
import type { Counter, Device, DeviceAttribute, DeviceCounterConsumption } from '../resource-slice.js'
import { validateCapacity } from './capacity-validation.js'

const mostProperties = 32
const mostTaints = 16
const mostConsumptions = 2
const mostCounters = 32
const longestCounter = 63
const longestValue = 64

export interface DeviceContext {
  /** The old device of the same name, whose taints stay valid. */
  readonly old: Device | undefined
  /** Whether each device has its own node selection. */
  readonly perDevice: boolean
}

export function validateDevice(device: Device, path: FieldPath, context: DeviceContext): readonly field.FieldError[] {
  const { attributes, capacity, taints, consumesCounters, allowMultipleAllocations = false } = device
  const properties = Object.keys(attributes ?? {}).length + Object.keys(capacity ?? {}).length
  const tooMany = `the total number of attributes and capacities must not exceed ${mostProperties}`
  const keys = { longestKey: longestQualifiedName }
  return [
    ...validateShortName(device.name, path.child('name')),
    ...(properties > mostProperties ? [field.invalid(path, properties, tooMany)] : []),
    ...validateMap(attributes, path.child('attributes'), validateQualifiedName, { ...keys, rule: validateAttribute }),
    ...validateMap(capacity, path.child('capacity'), validateQualifiedName, {
      ...keys,
      rule: (one, at) => validateCapacity(one, at, allowMultipleAllocations),
    }),
    ...(context.old && isSame(context.old.taints, taints)
      ? field.none
      : validateList(taints, path.child('taints'), (taint, at) => validateDeviceTaint(taint, at), {
          maximum: mostTaints,
        })),
    ...validateList(consumesCounters, path.child('consumesCounters'), validateConsumption, {
      maximum: mostConsumptions,
      key: ({ counterSet }) => counterSet,
    }),
    ...validateNodes(device, path, context.perDevice),
    ...validateBindingConditions(device, path),
  ]
}

function validateAttribute(attribute: DeviceAttribute, path: FieldPath): readonly field.FieldError[] {
  const { int, bool, string, version } = attribute
  const errors: field.FieldError[] = []
  if (string !== undefined && isTooLong(string)) errors.push(field.tooLong(path.child('string'), longestValue))
  if (version !== undefined && !parseSemanticVersion(version))
    errors.push(field.invalid(path.child('version'), version, 'must be a string compatible with semver.org spec 2.0.0'))
  if (version !== undefined && isTooLong(version)) errors.push(field.tooLong(path.child('version'), longestValue))
  const given = [int, bool, string, version].filter((value) => value !== undefined).length
  if (given === 1) return errors
  const values = {
    IntValue: int ?? null,
    BoolValue: bool ?? null,
    StringValue: string ?? null,
    VersionValue: version ?? null,
  }
  return [...errors, field.invalid(path, given === 0 ? '' : values, 'exactly one value must be specified')]
}

function isTooLong(value: string): boolean {
  return Buffer.byteLength(value) > longestValue
}

/** Accepts any quantity. */
export function validateCounters(
  counters: Readonly<Record<string, Counter>> | undefined | null,
  path: FieldPath,
): readonly field.FieldError[] {
  if (Object.keys(counters ?? {}).length === 0) return [field.required(path)]
  return validateMap(counters, path, validateShortName, {
    rule: () => field.none,
    maximum: mostCounters,
    longestKey: longestCounter,
  })
}

function validateConsumption(
  { counterSet, counters }: DeviceCounterConsumption,
  path: FieldPath,
): readonly field.FieldError[] {
  const setPath = path.child('counterSet')
  return [
    ...(counterSet === '' ? [field.required(setPath)] : validateShortName(counterSet, setPath)),
    ...validateCounters(counters, path.child('counters')),
  ]
}

const onlyPerDevice =
  '`nodeName`, `nodeSelector` and `allNodes` can only be set if `perDeviceNodeSelection` is set to true in the ResourceSlice spec'
const oneOfThree =
  'exactly one of `nodeName`, `nodeSelector`, or `allNodes` is required when `perDeviceNodeSelection` is set to true in the ResourceSlice spec'

function validateNodes(device: Device, path: FieldPath, perDevice: boolean): readonly field.FieldError[] {
  const { nodeName, nodeSelector, allNodes } = device
  if (!perDevice) {
    const isSet = nodeName !== undefined || nodeSelector !== undefined || allNodes !== undefined
    return isSet ? [field.invalid(path, null, onlyPerDevice)] : field.none
  }
  const errors: field.FieldError[] = []
  const set: string[] = []
  if (nodeName === '') errors.push(field.invalid(path.child('nodeName'), nodeName, 'must not be empty'))
  else if (nodeName !== undefined) {
    set.push('`nodeName`')
    errors.push(...field.invalidForEach(path.child('nodeName'), nodeName, dnsSubdomain(nodeName)))
  }
  if (nodeSelector) {
    set.push('`nodeSelector`')
    errors.push(...validateNodeSelector(nodeSelector, path.child('nodeSelector')))
  }
  if (allNodes) set.push('`allNodes`')
  else if (allNodes === false)
    errors.push(field.invalid(path.child('allNodes'), false, 'must be either unset or set to true'))
  if (set.length === 0) errors.push(field.required(path, oneOfThree))
  if (set.length > 1) errors.push(field.invalid(path, `{${set.join(', ')}}`, oneOfThree))
  return errors
}
