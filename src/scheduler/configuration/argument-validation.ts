import { validateNodeSelector, validateNodeSelectorTerm } from '../../api/core/v1/affinity/node-selector-validation.js'
import type { TopologySpreadConstraint } from '../../api/core/v1/pod/spec.js'
import * as field from '../../schema/field-errors.js'
import type { FieldPath } from '../../schema/field-path.js'
import { labelKey } from '../../schema/label-names.js'
import type {
  DefaultPreemptionArgs,
  InterPodAffinityArgs,
  NodeAffinityArgs,
  NodeResourcesBalancedAllocationArgs,
  NodeResourcesFitArgs,
  PodTopologySpreadArgs,
  ResourceSpec,
  ScoringStrategy,
  UtilizationShapePoint,
} from './argument-declarations.js'

type Errors = readonly field.FieldError[]

/** What is wrong with what is said to a plugin, by its name. Defaults were set before. */
export const argumentRules: Readonly<Record<string, (args: never, path: FieldPath) => Errors>> = {
  DefaultPreemption: validatePreemption,
  InterPodAffinity: validateInterPodAffinity,
  NodeAffinity: validateNodeAffinity,
  NodeResourcesBalancedAllocation: validateBalancedAllocation,
  NodeResourcesFit: validateFit,
  PodTopologySpread: validateTopologySpread,
}

function within(path: FieldPath, value: number, [least, most]: readonly [number, number]): Errors {
  if (value >= least && value <= most) return field.none
  const end = most === Number.POSITIVE_INFINITY ? 'inf)' : `${most}]`
  return [field.invalid(path, value, `not in valid range [${least}, ${end}`)]
}

function validatePreemption(args: DefaultPreemptionArgs, path: FieldPath): Errors {
  const { minCandidateNodesPercentage: percentage = 0, minCandidateNodesAbsolute: absolute = 0 } = args
  const [percentagePath, absolutePath] = [
    path.child('minCandidateNodesPercentage'),
    path.child('minCandidateNodesAbsolute'),
  ]
  const both =
    percentage === 0 && absolute === 0
      ? [
          field.invalid(percentagePath, percentage, 'cannot be zero at the same time as minCandidateNodesAbsolute'),
          field.invalid(absolutePath, absolute, 'cannot be zero at the same time as minCandidateNodesPercentage'),
        ]
      : []
  return [
    ...within(percentagePath, percentage, [0, 100]),
    ...within(absolutePath, absolute, [0, Number.POSITIVE_INFINITY]),
    ...both,
  ]
}

function validateInterPodAffinity({ hardPodAffinityWeight = 1 }: InterPodAffinityArgs, path: FieldPath): Errors {
  return within(path.child('hardPodAffinityWeight'), hardPodAffinityWeight, [0, 100])
}

function validateNodeAffinity({ addedAffinity = {} }: NodeAffinityArgs, path: FieldPath): Errors {
  const {
    requiredDuringSchedulingIgnoredDuringExecution: required,
    preferredDuringSchedulingIgnoredDuringExecution: preferred = [],
  } = addedAffinity
  const at = path.child('addedAffinity')
  const preferredPath = at.child('preferredDuringSchedulingIgnoredDuringExecution')
  return [
    ...(required
      ? validateNodeSelector(required, at.child('requiredDuringSchedulingIgnoredDuringExecution'), { anyValue: false })
      : []),
    ...preferred.flatMap(({ preference }, i) =>
      validateNodeSelectorTerm(preference, preferredPath.index(i), { anyValue: false }),
    ),
  ]
}

function validateBalancedAllocation({ resources = [] }: NodeResourcesBalancedAllocationArgs, path: FieldPath): Errors {
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

function validateFit(args: NodeResourcesFitArgs, path: FieldPath): Errors {
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

const strategies = ['LeastAllocated', 'MostAllocated', 'RequestedToCapacityRatio']

function validateStrategy(
  { type = '', resources = [], requestedToCapacityRatio: curve }: ScoringStrategy,
  path: FieldPath,
): Errors {
  const isCurve = type === 'RequestedToCapacityRatio'
  const at = path.child('requestedToCapacityRatio')
  const missing = field.required(at, 'must be specified when type is RequestedToCapacityRatio')
  const unwanted = field.forbidden(at, 'must be nil when type is not RequestedToCapacityRatio')
  return [
    ...(strategies.includes(type) ? [] : [field.notSupported(path.child('type'), type, strategies)]),
    ...validateWeights(resources, path.child('resources')),
    ...(isCurve && curve ? validateShape(curve.shape ?? [], at.child('shape')) : []),
    ...(isCurve && !curve ? [missing] : []),
    ...(!isCurve && curve ? [unwanted] : []),
  ]
}

function validateWeights(resources: readonly ResourceSpec[], path: FieldPath): Errors {
  return resources.flatMap(({ name, weight = 1 }, i) =>
    weight > 0 && weight <= 100
      ? []
      : [
          field.invalid(
            path.index(i).child('weight'),
            weight,
            `resource weight of ${name} not in valid range (0, 100]`,
          ),
        ],
  )
}

export function validateShape(shape: readonly UtilizationShapePoint[], path: FieldPath): Errors {
  if (shape.length === 0) return [field.required(path, 'at least one point must be specified')]
  const late = shape.findIndex((point, i) => i > 0 && shape[i - 1]!.utilization >= point.utilization)
  const unsorted =
    late < 0
      ? []
      : [
          field.invalid(
            path.index(late).child('utilization'),
            shape[late]!.utilization,
            'values must be sorted in increasing order',
          ),
        ]
  return [
    ...unsorted,
    ...shape.flatMap(({ utilization, score }, i) => [
      ...within(path.index(i).child('utilization'), utilization, [0, 100]),
      ...within(path.index(i).child('score'), score, [0, 10]),
    ]),
  ]
}

function validateTopologySpread(args: PodTopologySpreadArgs, path: FieldPath): Errors {
  const { defaultingType, defaultConstraints = [] } = args
  const at = path.child('defaultingType')
  const list = path.child('defaultConstraints')
  const errors: field.FieldError[] = []
  if (defaultingType !== 'System' && defaultingType !== 'List')
    errors.push(field.notSupported(at, defaultingType, ['System', 'List']))
  else if (defaultingType === 'System' && defaultConstraints.length > 0)
    errors.push(field.invalid(at, defaultingType, 'when .defaultConstraints are not empty'))
  return [...errors, ...defaultConstraints.flatMap((_, i) => validateConstraint(defaultConstraints, i, list))]
}

function validateConstraint(all: readonly TopologySpreadConstraint[], i: number, list: FieldPath): Errors {
  const { maxSkew, topologyKey, whenUnsatisfiable, labelSelector } = all[i]!
  const path = list.index(i)
  const isRepeated = all
    .slice(0, i)
    .some((other) => other.topologyKey === topologyKey && other.whenUnsatisfiable === whenUnsatisfiable)
  return [
    ...(maxSkew > 0 ? [] : [field.invalid(path.child('maxSkew'), maxSkew, 'not in valid range (0, inf)')]),
    ...keyErrors(topologyKey, path.child('topologyKey')),
    ...actionErrors(whenUnsatisfiable, path.child('whenUnsatisfiable')),
    ...(labelSelector
      ? [
          field.forbidden(
            path.child('labelSelector'),
            'constraint must not define a selector, as they deduced for each pod',
          ),
        ]
      : []),
    ...(isRepeated ? [field.duplicate(path, `{${topologyKey}, ${whenUnsatisfiable}}`)] : []),
  ]
}

function keyErrors(key: string, path: FieldPath): Errors {
  return key === '' ? [field.required(path, 'can not be empty')] : field.invalidForEach(path, key, labelKey(key))
}

function actionErrors(action: string, path: FieldPath): Errors {
  if (action === '') return [field.required(path, 'can not be empty')]
  const known = ['DoNotSchedule', 'ScheduleAnyway']
  return known.includes(action) ? field.none : [field.notSupported(path, action, known)]
}
