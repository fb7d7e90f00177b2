import { csvList, repeated, stringMap } from '../../base/flags/flag-types.js'
import type { JsonObject } from '../../schema/declaration.js'
import { compareText } from '../../schema/text-order.js'
import { generator, noTimestamp, unique } from './generator.js'
import { checkPaths, checkResources, type NamedResource, readResources, ruleVerbs, warnOfVerbs } from './role-rules.js'

const ruleFlags = {
  resource: csvList('Resources of the rule: RESOURCE, RESOURCE.GROUP, RESOURCE/SUBRESOURCE'),
  'resource-name': repeated('Names of objects that the rule is limited to'),
  verb: csvList('Verbs of the rule: get, list, watch, create, …'),
} as const

const apiVersion = 'rbac.authorization.k8s.io/v1'

export const createRole = generator({
  usage:
    'NAME --verb=verb --resource=resource.group/subresource [--resource-name=resourcename] [--dry-run=server|client|none] [options]',
  about: 'Create a role in this namespace.',
  examples: ['kubectl create role reader --verb=get,list,watch --resource=pods,deployments.apps'],
  flags: ruleFlags,
  build: async ({ flags, factory, err }, name) => {
    const verbs = ruleVerbs(flags.verb)
    const resources = readResources(flags.resource)
    if (verbs.length === 0) throw new Error('at least one verb must be specified')
    await warnOfVerbs(verbs, err)
    if (resources.length === 0) throw new Error('at least one resource must be specified')
    const found = await checkResources(factory, resources, verbs)
    const rules = resourceRules(found, { verbs, names: unique(flags['resource-name']) })
    return { apiVersion, kind: 'Role', metadata: { ...noTimestamp, name }, rules }
  },
})

export const createClusterRole = generator({
  usage:
    'NAME --verb=verb --resource=resource.group [--resource-name=resourcename] [--dry-run=server|client|none] [options]',
  about: 'Create a cluster role from rules or by aggregation.',
  examples: [
    'kubectl create clusterrole health --verb=get --non-resource-url=/healthz',
    'kubectl create clusterrole all --aggregation-rule=rbac.example.com/aggregate=true',
  ],
  flags: {
    ...ruleFlags,
    'aggregation-rule': stringMap('Labels of the cluster roles to aggregate: key=value,key=value'),
    'non-resource-url': csvList('Non-resource URLs of the rule; * at the end matches any suffix'),
  },
  build: async ({ flags, factory, err }, name): Promise<JsonObject> => {
    const verbs = ruleVerbs(flags.verb)
    const resources = readResources(flags.resource)
    const names = unique(flags['resource-name'])
    const paths = unique(flags['non-resource-url'])
    const metadata = { ...noTimestamp, name }
    if (Object.keys(flags['aggregation-rule']).length > 0) {
      if (paths.length + verbs.length + resources.length + names.length > 0)
        throw new Error('aggregation rule must be specified without nonResourceURLs, verbs, resources or resourceNames')
      const matchLabels = flags['aggregation-rule']
      const aggregationRule = { clusterRoleSelectors: [{ matchLabels }] }
      return { aggregationRule, apiVersion, kind: 'ClusterRole', metadata, rules: null }
    }
    if (verbs.length === 0) throw new Error('at least one verb must be specified')
    if (resources.length + paths.length === 0) throw new Error('one of resource or nonResourceURL must be specified')
    if (resources.length > 0) await warnOfVerbs(verbs, err)
    const found = await checkResources(factory, resources, verbs)
    checkPaths(paths, verbs)
    const aboutPaths = paths.length > 0 ? [{ nonResourceURLs: paths, verbs }] : []
    return {
      apiVersion,
      kind: 'ClusterRole',
      metadata,
      rules: [...resourceRules(found, { verbs, names }), ...aboutPaths],
    }
  },
})

interface RuleOptions {
  readonly verbs: readonly string[]
  readonly names: readonly string[]
}

/** Returns one rule for each API group. */
function resourceRules(resources: readonly NamedResource[], { verbs, names }: RuleOptions): readonly JsonObject[] {
  const groups = unique(resources.map(({ group }) => group))
  return [...groups].sort(compareText).map((group) => ({
    apiGroups: [group],
    ...(names.length > 0 && { resourceNames: names }),
    resources: unique(resources.filter((each) => each.group === group).map(({ name }) => name)),
    verbs,
  }))
}
