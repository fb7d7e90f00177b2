import type { PolicyRule } from '../../api/rbac/v1/role.js'
import { compareText } from '../../schema/text-order.js'

/** A rule about one resource, or about one path. */
interface PlainRule {
  readonly verbs: readonly string[]
  readonly group: string
  readonly resource: string
  readonly resourceNames: readonly string[]
  readonly paths: readonly string[]
}

/** Rules taken apart into what is allowed with each single thing, and the verbs of each thing put together again, in order. */
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

/** By verbs, then groups, resources, names and paths: the order in which a rule tells them. */
function orderOf({ verbs, group, resource, resourceNames, paths }: PlainRule): string {
  const isPath = paths.length > 0
  const lists = [verbs, isPath ? [] : [group], isPath ? [] : [resource], resourceNames, paths]
  const names = ['Verbs', 'APIGroups', 'Resources', 'ResourceNames', 'NonResourceURLs']
  return names.map((name, index) => `${name}:[${lists[index]!.join(' ')}],`).join('')
}

/** `deployments.apps/scale`, paths, names and verbs: the columns of a table. */
export function ruleCells({ group, resource, resourceNames, paths, verbs }: PlainRule): readonly string[] {
  const [plural = '', ...subresource] = resource.split('/')
  const whole = [`${plural}${group === '' ? '' : `.${group}`}`, ...subresource].join('/')
  return [whole, `[${paths.join(' ')}]`, `[${resourceNames.join(' ')}]`, `[${verbs.join(' ')}]`]
}
