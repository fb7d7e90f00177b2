import type { PolicyRule } from '../../api/rbac/v1/role.js'
import { compareText } from '../../schema/text-order.js'

/** A rule for one resource or one path. */
interface PlainRule {
  readonly verbs: readonly string[]
  readonly group: string
  readonly resource: string
  readonly resourceNames: readonly string[]
  readonly paths: readonly string[]
}

/** Splits rules so that each has one resource or path, then merges the verbs of equal ones. The result is sorted. */
export function plainRules(rules: readonly PolicyRule[]): readonly PlainRule[] {
  const compact = new Map<string, PlainRule>()
  const others: PlainRule[] = []
  for (const rule of rules.flatMap(apart)) {
    if (rule.paths.length > 0) {
      others.push(rule)
      continue
    }
    const key = JSON.stringify([rule.group, rule.resource, rule.resourceNames])
    const known = compact.get(key)
    compact.set(key, known ? { ...known, verbs: [...new Set([...known.verbs, ...rule.verbs])] } : rule)
  }
  return [...others, ...compact.values()].sort((left, right) => compareText(orderOf(left), orderOf(right)))
}

function apart({ verbs, apiGroups = [], resources = [], resourceNames = [], nonResourceURLs = [] }: PolicyRule) {
  const names = resourceNames.length === 0 ? [[]] : resourceNames.map((name) => [name])
  const aboutResources = apiGroups.flatMap((group) =>
    resources.flatMap((resource) =>
      verbs.flatMap((verb) =>
        names.map((each): PlainRule => ({ verbs: [verb], group, resource, resourceNames: each, paths: [] })),
      ),
    ),
  )
  const aboutPaths = nonResourceURLs.flatMap((path) =>
    verbs.map((verb): PlainRule => ({ verbs: [verb], group: '', resource: '', resourceNames: [], paths: [path] })),
  )
  return [...aboutResources, ...aboutPaths]
}

/** The sort key: verbs, groups, resources, names, paths, as in a rule. */
function orderOf({ verbs, group, resource, resourceNames, paths }: PlainRule): string {
  const isPath = paths.length > 0
  const lists = [verbs, isPath ? [] : [group], isPath ? [] : [resource], resourceNames, paths]
  const names = ['Verbs', 'APIGroups', 'Resources', 'ResourceNames', 'NonResourceURLs']
  return names.map((name, index) => `${name}:[${lists[index]!.join(' ')}],`).join('')
}

/** The cells of a table: resource (`deployments.apps/scale`), paths, names, verbs. */
export function ruleCells({ group, resource, resourceNames, paths, verbs }: PlainRule): readonly string[] {
  const [plural = '', ...subresource] = resource.split('/')
  const whole = [`${plural}${group === '' ? '' : `.${group}`}`, ...subresource].join('/')
  return [whole, `[${paths.join(' ')}]`, `[${resourceNames.join(' ')}]`, `[${verbs.join(' ')}]`]
}
