import type { PolicyRule } from '../../../api/rbac/v1/role.js'
import { everything, pathMatches } from './compiled-rules.js'

/** Yields the parts of `wanted` that `held` does not allow, as rules of one verb and one resource, in their order. */
export function* uncovered(held: readonly PolicyRule[], wanted: readonly PolicyRule[]): Generator<PolicyRule> {
  const own = held.map(heldRule)
  for (const rule of notWhollyCovered(own, wanted))
    for (const part of partsOf(rule)) if (!isCovered(own, part)) yield part
}

/** The cost of creating a part of a rule, in comparisons. */
const creationCost = 20

/**
 * Returns the cost of `uncovered`, in comparisons of two rules. A rule has as many parts as the product of its lists: a rule of a few hundred words
 * can have millions. Check this before `uncovered` for rules of clients.
 */
export function comparisons(held: readonly PolicyRule[], wanted: readonly PolicyRule[]): number {
  const own = held.map(heldRule)
  const parts = notWhollyCovered(own, wanted).map(partCount)
  return parts.reduce((sum, count) => sum + count, 0) * (held.length + creationCost)
}

/** Rules are not validated yet: required lists may be null. */
function notWhollyCovered(held: readonly HeldRule[], wanted: readonly PolicyRule[]): readonly PolicyRule[] {
  return wanted.map((rule) => ({ ...rule, verbs: rule.verbs ?? [] })).filter((rule) => !isCovered(held, rule))
}

function partCount({ verbs, apiGroups, resources, resourceNames, nonResourceURLs }: PolicyRule): number {
  const things = lengthOf(apiGroups) * lengthOf(resources) * Math.max(lengthOf(resourceNames), 1)
  return lengthOf(verbs) * (things + lengthOf(nonResourceURLs))
}

function lengthOf(list: readonly unknown[] = []): number {
  return list.length
}

/** Splits a rule into parts that another rule covers completely or not at all. */
function* partsOf(rule: PolicyRule): Generator<PolicyRule> {
  const { verbs, apiGroups = [], resources = [], resourceNames = [], nonResourceURLs = [] } = rule
  const names = resourceNames.length > 0 ? resourceNames : [undefined]
  for (const group of apiGroups)
    for (const resource of resources)
      for (const verb of verbs) for (const name of names) yield resourcePart(group, resource, verb, name)
  for (const path of nonResourceURLs) for (const verb of verbs) yield { verbs: [verb], nonResourceURLs: [path] }
}

function resourcePart(group: string, resource: string, verb: string, name: string | undefined): PolicyRule {
  const part = { verbs: [verb], apiGroups: [group], resources: [resource] }
  return name === undefined ? part : { ...part, resourceNames: [name] }
}

/** A held rule, prepared for comparison. */
interface HeldRule {
  readonly verbs: ReadonlySet<string>
  readonly groups: ReadonlySet<string>
  readonly resources: ReadonlySet<string>
  readonly names: ReadonlySet<string>
  readonly paths: readonly string[]
}

function heldRule({ verbs, apiGroups, resources, resourceNames, nonResourceURLs = [] }: PolicyRule): HeldRule {
  return {
    verbs: new Set(verbs),
    groups: new Set(apiGroups),
    resources: new Set(resources),
    names: new Set(resourceNames),
    paths: nonResourceURLs,
  }
}

function isCovered(held: readonly HeldRule[], wanted: PolicyRule): boolean {
  return held.some((rule) => covers(rule, wanted))
}

function covers({ verbs, groups, resources, names, paths }: HeldRule, wanted: PolicyRule): boolean {
  return (
    hasAll(verbs, wanted.verbs) &&
    hasAll(groups, wanted.apiGroups) &&
    coversResources(resources, wanted.resources) &&
    coversNames(names, wanted.resourceNames) &&
    (wanted.nonResourceURLs ?? []).every((path) => paths.some((own) => pathMatches(own, path)))
  )
}

function hasAll(held: ReadonlySet<string>, wanted: readonly string[] = []): boolean {
  return held.has(everything) || wanted.every((one) => held.has(one))
}

/** `*` + `/status` covers the subresource of every resource. */
function coversResources(held: ReadonlySet<string>, wanted: readonly string[] = []): boolean {
  if (held.has(everything)) return true
  return wanted.every((resource) => {
    const slash = resource.indexOf('/')
    return held.has(resource) || (slash >= 0 && held.has(`${everything}${resource.slice(slash)}`))
  })
}

/** A rule for some names does not cover a rule for all names. */
function coversNames(held: ReadonlySet<string>, wanted: readonly string[] = []): boolean {
  if (held.size === 0) return true
  return wanted.length > 0 && wanted.every((name) => held.has(name))
}
