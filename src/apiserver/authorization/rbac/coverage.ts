import type { PolicyRule } from '../../../api/rbac/v1/role.js'
import { quote } from '../../../schema/quote.js'
import { everything, pathMatches } from './compiled-rules.js'

/** What of `wanted` nobody may do who has only `held`: in rules of one verb and one resource each, in their order. */
export function uncovered(held: readonly PolicyRule[], wanted: readonly PolicyRule[]): readonly PolicyRule[] {
  return wanted.flatMap(smallest).filter((part) => !held.some((rule) => covers(rule, part)))
}

/** A rule in parts so small that one other rule covers all of it or nothing. */
function smallest({ verbs, apiGroups, resources, resourceNames, nonResourceURLs }: PolicyRule): PolicyRule[] {
  const names = resourceNames?.length ? resourceNames : [undefined]
  const ofGroup = (group: string) => (resources ?? []).flatMap((resource) => ofResource(group, resource))
  const ofResource = (group: string, resource: string) =>
    verbs.flatMap((verb) => names.map((name) => resourcePart(group, resource, verb, name)))
  const ofPath = (path: string) => verbs.map((verb) => ({ verbs: [verb], nonResourceURLs: [path] }))
  return [...(apiGroups ?? []).flatMap(ofGroup), ...(nonResourceURLs ?? []).flatMap(ofPath)]
}

function resourcePart(group: string, resource: string, verb: string, name: string | undefined): PolicyRule {
  const part = { verbs: [verb], apiGroups: [group], resources: [resource] }
  return name === undefined ? part : { ...part, resourceNames: [name] }
}

function covers(held: PolicyRule, part: PolicyRule): boolean {
  return (
    hasAll(held.verbs, part.verbs) &&
    hasAll(held.apiGroups, part.apiGroups) &&
    coversResources(held.resources ?? [], part.resources ?? []) &&
    coversNames(held.resourceNames ?? [], part.resourceNames ?? []) &&
    (part.nonResourceURLs ?? []).every((path) => (held.nonResourceURLs ?? []).some((own) => pathMatches(own, path)))
  )
}

function hasAll(held: readonly string[] = [], wanted: readonly string[] = []): boolean {
  return held.includes(everything) || wanted.every((one) => held.includes(one))
}

/** A star and a slash before a subresource stand for it, of whatever resource. */
function coversResources(held: readonly string[], wanted: readonly string[]): boolean {
  if (held.includes(everything)) return true
  return wanted.every((resource) => {
    const slash = resource.indexOf('/')
    return held.includes(resource) || (slash >= 0 && held.includes(`${everything}${resource.slice(slash)}`))
  })
}

/** Who holds something only for some names does not hold it for all. */
function coversNames(held: readonly string[], wanted: readonly string[]): boolean {
  if (held.length === 0) return true
  return wanted.length > 0 && wanted.every((name) => held.includes(name))
}

/** Rules as people are shown them: verbs on the same thing together, in the order of the text. */
export function describeRules(rules: readonly PolicyRule[]): readonly string[] {
  return [...new Set(compacted(rules).map(ruleText))].sort()
}

function compacted(rules: readonly PolicyRule[]): readonly PolicyRule[] {
  const simple = new Map<string, PolicyRule>()
  const others: PolicyRule[] = []
  for (const rule of rules) {
    const key = simpleKey(rule)
    const same = key === undefined ? undefined : simple.get(key)
    if (key === undefined) others.push(rule)
    else simple.set(key, same ? { ...same, verbs: [...same.verbs, ...rule.verbs] } : rule)
  }
  return [...others, ...simple.values()]
}

/** What a rule is about, if that is one resource and at most one name. */
function simpleKey({ apiGroups = [], resources = [], resourceNames = [], nonResourceURLs = [] }: PolicyRule) {
  if (apiGroups.length !== 1 || resources.length !== 1) return undefined
  if (resourceNames.length > 1 || nonResourceURLs.length > 0) return undefined
  return JSON.stringify([apiGroups, resources, resourceNames])
}

function ruleText({ apiGroups, resources, nonResourceURLs, resourceNames, verbs }: PolicyRule): string {
  const parts = [
    listText('APIGroups', apiGroups),
    listText('Resources', resources),
    listText('NonResourceURLs', nonResourceURLs),
    listText('ResourceNames', resourceNames),
    listText('Verbs', verbs),
  ]
  return `{${parts.filter((part) => part !== '').join(', ')}}`
}

function listText(label: string, values: readonly string[] = []): string {
  return values.length === 0 ? '' : `${label}:${quotedList(values)}`
}

/** `["a" "b"]` */
export function quotedList(values: readonly string[]): string {
  return `[${values.map(quote).join(' ')}]`
}
