import type { TopologySpreadConstraint } from '../../../api/core/v1/pod/spec.js'
import * as field from '../../../schema/field-errors.js'
import type { FieldPath } from '../../../schema/field-path.js'
import { list, ref, string } from '../../../schema/fields.js'
import type { Infer } from '../../../schema/infer.js'
import { labelKey } from '../../../schema/label-names.js'
import { schema } from '../../../schema/schema.js'
import { configurationVersion, typeMetaFields } from '../../framework/plugin-arguments.js'

type Errors = readonly field.FieldError[]

export const PodTopologySpreadArgs = schema(`${configurationVersion}.PodTopologySpreadArgs`, {
  optional: {
    ...typeMetaFields,
    /** Applied to pods without constraints, if `defaultingType` is `List`. */
    defaultConstraints: list(0, ref<TopologySpreadConstraint>('core/v1.TopologySpreadConstraint')),
    defaultingType: string(0, { default: 'System' }),
  },
})
export interface PodTopologySpreadArgs extends Infer<typeof PodTopologySpreadArgs> {}

export function validateTopologySpread(args: PodTopologySpreadArgs, path: FieldPath): Errors {
  const { defaultingType, defaultConstraints = [] } = args
  const typePath = path.child('defaultingType')
  const constraints = path.child('defaultConstraints')
  const errors: field.FieldError[] = []
  if (defaultingType !== 'System' && defaultingType !== 'List')
    errors.push(field.notSupported(typePath, defaultingType, ['System', 'List']))
  else if (defaultingType === 'System' && defaultConstraints.length > 0)
    errors.push(field.invalid(typePath, defaultingType, 'when .defaultConstraints are not empty'))
  return [...errors, ...defaultConstraints.flatMap((_, i) => validateConstraint(defaultConstraints, i, constraints))]
}

function validateConstraint(all: readonly TopologySpreadConstraint[], i: number, list: FieldPath): Errors {
  const { maxSkew, topologyKey, whenUnsatisfiable, labelSelector } = all[i]!
  const path = list.index(i)
  const isRepeated = all
    .slice(0, i)
    .some((other) => other.topologyKey === topologyKey && other.whenUnsatisfiable === whenUnsatisfiable)
  const noSelector = 'constraint must not define a selector, as they deduced for each pod'
  return [
    ...(maxSkew > 0 ? [] : [field.invalid(path.child('maxSkew'), maxSkew, 'not in valid range (0, inf)')]),
    ...validateKey(topologyKey, path.child('topologyKey')),
    ...validateAction(whenUnsatisfiable, path.child('whenUnsatisfiable')),
    ...(labelSelector ? [field.forbidden(path.child('labelSelector'), noSelector)] : []),
    ...(isRepeated ? [field.duplicate(path, `{${topologyKey}, ${whenUnsatisfiable}}`)] : []),
  ]
}

function validateKey(key: string, path: FieldPath): Errors {
  return key === '' ? [field.required(path, 'can not be empty')] : field.invalidForEach(path, key, labelKey(key))
}

function validateAction(action: string, path: FieldPath): Errors {
  if (action === '') return [field.required(path, 'can not be empty')]
  const known = ['DoNotSchedule', 'ScheduleAnyway']
  return known.includes(action) ? field.none : [field.notSupported(path, action, known)]
}
