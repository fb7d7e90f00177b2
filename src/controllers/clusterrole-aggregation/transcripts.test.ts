import { test } from 'node:test'
import { ClusterRole } from '../../api/rbac/v1/cluster-role.js'
import type { TestCluster } from '../../testing/cluster.js'
import { checkTranscript } from '../../testing/controllers/transcript.js'

async function view({ client }: TestCluster): Promise<readonly string[]> {
  const { items } = await client.resource(ClusterRole).list()
  const ours = items.filter(({ metadata }) => metadata.name!.startsWith('our-'))
  return ours.map(({ metadata, rules = [] }) => {
    const managers = (metadata.managedFields ?? []).map(({ manager }) => manager).sort()
    const shown = rules.map(({ resources = [], verbs }) => `${verbs.join('+')} ${resources.join('+')}`)
    return `Role ${metadata.name}: ${shown.join(', ') || 'nothing'} (managed by ${[...new Set(managers)].join(', ')})`
  })
}

test('a role has the rules of those that it selects', () =>
  checkTranscript(
    { of: import.meta.url, name: 'aggregation' },
    { controllers: ['clusterrole-aggregation-controller'], view },
    async (stage) => {
      const roles = stage.cluster.client.resource(ClusterRole)
      const labels = { 'to-all': 'yes' }
      const rule = (resource: string) => ({ apiGroups: [''], resources: [resource], verbs: ['get'] })
      await stage.step('a role of others, of which there are none', () =>
        roles.create({
          metadata: { name: 'our-all' },
          aggregationRule: { clusterRoleSelectors: [{ matchLabels: labels }] },
          rules: [rule('leftover')],
        }),
      )
      await stage.step('two that it selects, and one that it does not', async () => {
        await roles.create({ metadata: { name: 'our-two', labels }, rules: [rule('services')] })
        await roles.create({ metadata: { name: 'our-one', labels }, rules: [rule('pods')] })
        await roles.create({ metadata: { name: 'our-other' }, rules: [rule('secrets')] })
      })
      await stage.step('one gets another rule', () =>
        roles.patch('our-one', 'merge', { rules: [rule('pods'), rule('nodes')] }),
      )
      await stage.step('somebody writes into the role of all', () =>
        roles.patch('our-all', 'merge', { rules: [rule('secrets')] }),
      )
      await stage.step('one is not selected any more, and one is gone', async () => {
        await roles.patch('our-one', 'merge', { metadata: { labels: null } })
        await roles.delete('our-two')
      })
    },
  ))
