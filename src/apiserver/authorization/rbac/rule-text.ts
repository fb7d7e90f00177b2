import type { PolicyRule } from '../../../api/rbac/v1/role.js'

/** Rules as sentences, by the name of their role. */
export type RuleTexts = Readonly<Record<string, readonly string[]>>

/** How sentences name the group that has no name. */
const nameless = 'core'

/**
 * A rule as a sentence: `get list on pods services of core`, `update on configmaps of core named cluster-info`, or, for what is
 * no resource, `get at /healthz /livez`.
 */
export function ruleOf(text: string): PolicyRule {
  const paths = /^(.+?) at (.+)$/.exec(text)
  if (paths) return { verbs: words(paths[1]!), nonResourceURLs: words(paths[2]!) }
  const [, verbs, resources, groups, names] = /^(.+?) on (.+?) of (.+?)(?: named (.+))?$/.exec(text) ?? []
  if (verbs === undefined) throw new Error(`this is no rule: ${text}`)
  return {
    verbs: words(verbs),
    apiGroups: words(groups!).map((group) => (group === nameless ? '' : group)),
    resources: words(resources!),
    ...(names !== undefined && { resourceNames: words(names) }),
  }
}

function words(text: string): string[] {
  return text.split(' ')
}
