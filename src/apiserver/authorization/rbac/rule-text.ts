import type { PolicyRule } from '../../../api/rbac/v1/role.js'
import { quote } from '../../../schema/quote.js'

/** Upper bound of the length of a message. The differences between the default roles are far shorter. */
const maxLength = 100_000

/** The length of the punctuation and field names of a rule's text. */
const frameLength = 60

/** Returns the text of many rules, one per line, cut off at the upper bound. */
export function describeMany(rules: Iterable<PolicyRule>): string {
  const shown: PolicyRule[] = []
  let [length, more] = [0, 0]
  for (const rule of rules) {
    if (length >= maxLength) more++
    else {
      shown.push(rule)
      length += frameLength + wordsOf(rule).reduce((sum, word) => sum + word.length, 0)
    }
  }
  return [...describeRules(shown), ...(more > 0 ? [`... and ${more} more`] : [])].join('\n')
}

function wordsOf({ verbs, apiGroups = [], resources = [], resourceNames = [], nonResourceURLs = [] }: PolicyRule) {
  return [...verbs, ...apiGroups, ...resources, ...resourceNames, ...nonResourceURLs]
}

/** Returns the text of each rule, sorted. Joins the verbs of rules for the same resource. */
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

/** Returns a key for a rule of one resource and at most one name. */
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
  return values.length === 0 ? '' : `${label}:${bracketedList(values)}`
}

/** `["a" "b"]` */
export function bracketedList(values: readonly string[]): string {
  return `[${values.map(quote).join(' ')}]`
}
