import * as field from '../../../../schema/field-errors.js'
import { type FieldPath, fieldPath } from '../../../../schema/field-path.js'
import { memberOf } from '../../../../schema/json-value.js'
import { declareDefaults, declareTable } from '../../../../schema/schema.js'
import { declareStrategy } from '../../../../schema/strategy.js'
import { compareText } from '../../../../schema/text-order.js'
import { immutable } from '../../../validation/immutability.js'
import {
  ResourceQuota,
  type ResourceQuotaScope,
  ResourceQuotaSpec,
  ResourceQuotaStatus,
  type ScopedResourceSelectorRequirement,
} from '../resource-quota.js'
import { roundResources } from '../resource-requirements/defaults.js'
import {
  validateQuotaResourceName,
  validateResourceQuantity,
} from '../resource-requirements/resource-list-validation.js'
import { isQuotaResource } from '../resource-requirements/resource-names.js'

export const resourceQuotaSpecDefaults = declareDefaults<ResourceQuotaSpec>(ResourceQuotaSpec, ({ hard }) => {
  roundResources(hard)
})

export const resourceQuotaStatusDefaults = declareDefaults<ResourceQuotaStatus>(
  ResourceQuotaStatus,
  ({ hard, used }) => {
    roundResources(hard)
    roundResources(used)
  },
)

export const resourceQuotaTable = declareTable<ResourceQuota>(ResourceQuota, {
  Request: (quota) => usage(quota, (name) => !name.startsWith('limits.')),
  Limit: (quota) => usage(quota, (name) => name.startsWith('limits.')),
})

function usage({ status: { hard = {}, used = {} } }: ResourceQuota, isShown: (name: string) => boolean): string {
  const names = Object.keys(hard).filter(isShown).sort(compareText)
  return names.map((name) => `${name}: ${memberOf(used, name) ?? 0}/${hard[name]}`).join(', ')
}

export const resourceQuotaStrategy = declareStrategy<ResourceQuota>(ResourceQuota, {
  validate: validateResourceQuota,
  validateUpdate: validateResourceQuotaUpdate,
  subresources: { status: { validateUpdate: validateResourceQuotaStatus } },
})

const specPath = fieldPath('spec')

export function* validateResourceQuota({ spec }: ResourceQuota): Iterable<field.FieldError> {
  yield* validateAmounts(spec.hard, specPath.child('hard'))
  yield* validateScopes(spec, specPath.child('scopes'))
  yield* validateSelector(spec, specPath.child('scopeSelector', 'matchExpressions'))
}

export function* validateResourceQuotaUpdate(quota: ResourceQuota, old: ResourceQuota): Iterable<field.FieldError> {
  yield* validateResourceQuota(quota)
  const after = new Set(quota.spec.scopes)
  const before = new Set(old.spec.scopes)
  if (after.size !== before.size || [...after].some((scope) => !before.has(scope)))
    yield field.invalid(specPath.child('scopes'), quota.spec.scopes, immutable)
}

export function* validateResourceQuotaStatus({ status }: ResourceQuota): Iterable<field.FieldError> {
  yield* validateAmounts(status.hard, fieldPath('status', 'hard'))
  yield* validateAmounts(status.used, fieldPath('status', 'used'))
}

function* validateAmounts(amounts: ResourceQuotaSpec['hard'], path: FieldPath): Iterable<field.FieldError> {
  for (const name in amounts) {
    yield* validateQuotaResourceName(name, path.key(name))
    yield* validateResourceQuantity(name, amounts[name]!, path.key(name))
  }
}

const podResources = [
  'cpu',
  'memory',
  'limits.cpu',
  'limits.memory',
  'requests.cpu',
  'requests.memory',
  'pods',
] as const
const ofPods: ReadonlySet<string> = new Set(podResources)

/** By scope: the resources to which it applies. */
const scopes: Readonly<Record<ResourceQuotaScope, ReadonlySet<string>>> = {
  Terminating: ofPods,
  NotTerminating: ofPods,
  BestEffort: new Set(['pods']),
  NotBestEffort: ofPods,
  PriorityClass: ofPods,
  CrossNamespacePodAffinity: ofPods,
  VolumeAttributesClass: new Set(['persistentvolumeclaims', 'requests.storage']),
}

const opposites = [
  ['BestEffort', 'NotBestEffort'],
  ['Terminating', 'NotTerminating'],
] as const

function isScope(scope: string): scope is ResourceQuotaScope {
  return Object.hasOwn(scopes, scope)
}

/** The number of limited standard resources to which a scope does not apply. */
function unfitting(scope: string, { hard = {} }: ResourceQuotaSpec): number {
  if (!isScope(scope)) return 0
  return Object.keys(hard).filter((name) => isQuotaResource(name) && !scopes[scope].has(name)).length
}

function* validateScopes(spec: ResourceQuotaSpec, path: FieldPath): Iterable<field.FieldError> {
  const given = spec.scopes ?? []
  for (const scope of given) {
    if (!isScope(scope)) yield field.invalid(path, given, 'unsupported scope')
    for (let i = unfitting(scope, spec); i > 0; i--)
      yield field.invalid(path, given, 'unsupported scope applied to resource')
  }
  yield* validateOpposites(given, path, given)
}

function* validateOpposites(
  given: readonly ResourceQuotaScope[],
  path: FieldPath,
  shown: readonly string[] | undefined,
): Iterable<field.FieldError> {
  for (const [one, other] of opposites)
    if (given.includes(one) && given.includes(other)) yield field.invalid(path, shown, 'conflicting scopes')
}

function* validateSelector(spec: ResourceQuotaSpec, path: FieldPath): Iterable<field.FieldError> {
  const expressions = spec.scopeSelector?.matchExpressions ?? []
  for (const expression of expressions) {
    const { scopeName } = expression
    if (!isScope(scopeName)) yield field.invalid(path.child('scopeName'), scopeName, 'unsupported scope')
    for (let i = unfitting(scopeName, spec); i > 0; i--)
      yield field.invalid(path, shownSelector(expressions), 'unsupported scope applied to resource')
    yield* validateExpression(expression, path)
  }
  const names = expressions.map(({ scopeName }) => scopeName)
  yield* validateOpposites(names, path, spec.scopes)
}

/** Scopes without values. */
const plainScopes: ReadonlySet<string> = new Set([
  'BestEffort',
  'NotBestEffort',
  'Terminating',
  'NotTerminating',
  'CrossNamespacePodAffinity',
])

const onlyExists =
  "must be 'Exists' when scope is any of ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort, ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity"

function* validateExpression(
  { scopeName, operator, values = [] }: ScopedResourceSelectorRequirement,
  path: FieldPath,
): Iterable<field.FieldError> {
  if (plainScopes.has(scopeName) && operator !== 'Exists')
    yield field.invalid(path.child('operator'), operator, onlyExists)
  if (operator === 'In' || operator === 'NotIn') {
    if (values.length === 0)
      yield field.required(
        path.child('values'),
        "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector",
      )
  } else if (operator === 'Exists' || operator === 'DoesNotExist') {
    if (values.length > 0)
      yield field.invalid(
        path.child('values'),
        values,
        "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector",
      )
  } else yield field.invalid(path.child('operator'), operator, 'not a valid selector operator')
}

/** With the field names of upstream's messages. */
function shownSelector(expressions: readonly ScopedResourceSelectorRequirement[]): object {
  return {
    MatchExpressions: expressions.map(({ scopeName, operator, values = null }) => ({
      ScopeName: scopeName,
      Operator: operator,
      Values: values,
    })),
  }
}
