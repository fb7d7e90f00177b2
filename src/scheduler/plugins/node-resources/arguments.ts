/** The arguments of NodeResourcesFit and NodeResourcesBalancedAllocation. */
import * as field from '../../../schema/field-errors.js'
import type { FieldPath } from '../../../schema/field-path.js'
import { int32, int64, list, ref, string } from '../../../schema/fields.js'
import type { Infer } from '../../../schema/infer.js'
import { labelKey } from '../../../schema/label-names.js'
import { schema } from '../../../schema/schema.js'
import { configurationVersion, typeMetaFields, validateRange } from '../../framework/plugin-arguments.js'
import { defaultResources } from './resource-weights.js'

type Errors = readonly field.FieldError[]

export const ResourceSpec = schema(`${configurationVersion}.ResourceSpec`, {
  required: { name: string(0) },
  optional: { weight: int64(0, { default: 1 }) },
})
export interface ResourceSpec extends Infer<typeof ResourceSpec> {}

export const UtilizationShapePoint = schema(`${configurationVersion}.UtilizationShapePoint`, {
  required: { utilization: int32(0), score: int32(0) },
})
export interface UtilizationShapePoint extends Infer<typeof UtilizationShapePoint> {}

export const RequestedToCapacityRatioParam = schema(`${configurationVersion}.RequestedToCapacityRatioParam`, {
  optional: { shape: list(0, ref<UtilizationShapePoint>(`${configurationVersion}.UtilizationShapePoint`)) },
})
export interface RequestedToCapacityRatioParam extends Infer<typeof RequestedToCapacityRatioParam> {}

export const ScoringStrategy = schema(`${configurationVersion}.ScoringStrategy`, {
  optional: {
    type: string(0),
    resources: list(0, ref<ResourceSpec>(`${configurationVersion}.ResourceSpec`)),
    requestedToCapacityRatio: ref<RequestedToCapacityRatioParam>(
      0,
      `${configurationVersion}.RequestedToCapacityRatioParam`,
    ),
  },
})
export interface ScoringStrategy extends Infer<typeof ScoringStrategy> {}

const cpuAndMemory = defaultResources.map((resource) => ({ ...resource }))

export const NodeResourcesBalancedAllocationArgs = schema(
  `${configurationVersion}.NodeResourcesBalancedAllocationArgs`,
  {
    optional: {
      ...typeMetaFields,
      resources: list(0, ref<ResourceSpec>(`${configurationVersion}.ResourceSpec`), { default: cpuAndMemory }),
    },
  },
)
export interface NodeResourcesBalancedAllocationArgs extends Infer<typeof NodeResourcesBalancedAllocationArgs> {}

export const NodeResourcesFitArgs = schema(`${configurationVersion}.NodeResourcesFitArgs`, {
  optional: {
    ...typeMetaFields,
    /** Extended resources that another component looks after. */
    ignoredResources: list(0, string),
    /** The same by domain: `example.com` for `example.com/gpu`. */
    ignoredResourceGroups: list(0, string),
    scoringStrategy: ref<ScoringStrategy>(0, `${configurationVersion}.ScoringStrategy`, {
      default: { type: 'LeastAllocated', resources: cpuAndMemory },
    }),
  },
})
export interface NodeResourcesFitArgs extends Infer<typeof NodeResourcesFitArgs> {}

export function validateBalancedAllocation(
  { resources = [] }: NodeResourcesBalancedAllocationArgs,
  path: FieldPath,
): Errors {
  const seen = new Set<string>()
  return resources.flatMap(({ name, weight = 1 }, i) => {
    const at = path.child('resources').index(i)
    const errors = [
      ...(seen.has(name) ? [field.duplicate(at.child('name'), name)] : []),
      ...(weight === 1 ? [] : [field.invalid(at.child('weight'), weight, 'must be 1')]),
    ]
    seen.add(name)
    return errors
  })
}

export function validateFit(args: NodeResourcesFitArgs, path: FieldPath): Errors {
  const { ignoredResources = [], ignoredResourceGroups = [], scoringStrategy } = args
  const names = path.child('ignoredResources')
  const groups = path.child('ignoredResourceGroups')
  return [
    ...ignoredResources.flatMap((name, i) => field.invalidForEach(names.index(i), name, labelKey(name))),
    ...ignoredResourceGroups.flatMap((group, i) => [
      ...(group.includes('/') ? [field.invalid(groups.index(i), group, "resource group name can't contain '/'")] : []),
      ...field.invalidForEach(groups.index(i), group, labelKey(group)),
    ]),
    ...validateStrategy(scoringStrategy ?? {}, path.child('scoringStrategy')),
  ]
}

const strategyTypes = ['LeastAllocated', 'MostAllocated', 'RequestedToCapacityRatio']

function validateStrategy(
  { type = '', resources = [], requestedToCapacityRatio: ratio }: ScoringStrategy,
  path: FieldPath,
): Errors {
  const needsRatio = type === 'RequestedToCapacityRatio'
  const at = path.child('requestedToCapacityRatio')
  const missing = field.required(at, 'must be specified when type is RequestedToCapacityRatio')
  const unwanted = field.forbidden(at, 'must be nil when type is not RequestedToCapacityRatio')
  return [
    ...(strategyTypes.includes(type) ? [] : [field.notSupported(path.child('type'), type, strategyTypes)]),
    ...validateWeights(resources, path.child('resources')),
    ...(needsRatio && ratio ? validateShape(ratio.shape ?? [], at.child('shape')) : []),
    ...(needsRatio && !ratio ? [missing] : []),
    ...(!needsRatio && ratio ? [unwanted] : []),
  ]
}

function validateWeights(resources: readonly ResourceSpec[], path: FieldPath): Errors {
  return resources.flatMap(({ name, weight = 1 }, i) => {
    if (weight > 0 && weight <= 100) return []
    const message = `resource weight of ${name} not in valid range (0, 100]`
    return [field.invalid(path.index(i).child('weight'), weight, message)]
  })
}

export function validateShape(shape: readonly UtilizationShapePoint[], path: FieldPath): Errors {
  if (shape.length === 0) return [field.required(path, 'at least one point must be specified')]
  const late = shape.findIndex((point, i) => i > 0 && shape[i - 1]!.utilization >= point.utilization)
  const latePath = path.index(late).child('utilization')
  const unsorted = 'values must be sorted in increasing order'
  return [
    ...(late < 0 ? [] : [field.invalid(latePath, shape[late]!.utilization, unsorted)]),
    ...shape.flatMap(({ utilization, score }, i) => [
      ...validateRange(path.index(i).child('utilization'), utilization, [0, 100]),
      ...validateRange(path.index(i).child('score'), score, [0, 10]),
    ]),
  ]
}
