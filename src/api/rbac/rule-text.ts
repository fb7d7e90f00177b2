import type { PolicyRule } from './v1/role.js'

/** Rules as sentences, by the name of their role. */
export type RuleTexts = Readonly<Record<string, readonly string[]>>

/** What one controller of the controller manager may do. The API server creates its roles and binds them to its service account. */
export interface ControllerRole {
  /** The account in `kube-system`. Its roles are called `system:controller:` and this name. */
  readonly serviceAccount: string
  /** Rules for the whole cluster. */
  readonly rules?: readonly string[]
  /** Rules for single namespaces, by namespace. */
  readonly namespacedRules?: RuleTexts
}

/** The word for the API group that has an empty name. */
const coreGroup = 'core'

/**
 * Parses a rule that is written as a sentence: `get list on pods services of core`, `update on configmaps of core named cluster-info`, or,
 * for paths that are not resources, `get at /healthz /livez`.
 */
export function ruleFromText(text: string): PolicyRule {
  const paths = /^(.+?) at (.+)$/.exec(text)
  if (paths) return { verbs: words(paths[1]!), nonResourceURLs: words(paths[2]!) }
  const [, verbs, resources, groups, names] = /^(.+?) on (.+?) of (.+?)(?: named (.+))?$/.exec(text) ?? []
  if (verbs === undefined) throw new Error(`not a policy rule: ${text}`)
  return {
    verbs: words(verbs),
    apiGroups: words(groups!).map((group) => (group === coreGroup ? '' : group)),
    resources: words(resources!),
    ...(names !== undefined && { resourceNames: words(names) }),
  }
}

function words(text: string): string[] {
  return text.split(' ')
}
