import { test } from 'node:test'
import { Namespace } from '../../api/core/v1/namespace.js'
import { ResourceQuota } from '../../api/core/v1/resource-quota.js'
import { ServiceAccount } from '../../api/core/v1/service-account.js'
import type { TestCluster } from '../../testing/cluster.js'
import { checkTranscript } from '../../testing/controllers/transcript.js'

async function view({ client }: TestCluster): Promise<readonly string[]> {
  const { items } = await client.resource(ServiceAccount).list()
  return items.map(({ metadata }) => `Account ${metadata.namespace}/${metadata.name}`)
}

test('every namespace in use has a default account', () =>
  checkTranscript(
    { of: import.meta.url, name: 'default-accounts' },
    { controllers: ['serviceaccount-controller', 'namespace-controller', 'resourcequota-controller'], view },
    async (stage) => {
      const { client } = stage.cluster
      const namespaces = client.resource(Namespace)
      await stage.step('the namespaces that are there from the start')
      await stage.step('another one', () => namespaces.create({ metadata: { name: 'work' } }))
      await stage.step('somebody deletes the account', () =>
        client.resource(ServiceAccount).in('work').delete('default'),
      )
      await stage.step('other accounts come and go', async () => {
        await client.resource(ServiceAccount).create({ metadata: { name: 'other', namespace: 'work' } })
        await client.resource(ServiceAccount).in('work').delete('other')
      })
      await stage.step('there may be one account, and that is another one', async () => {
        const spec = { hard: { 'count/serviceaccounts': '1' } }
        await client.resource(ServiceAccount).create({ metadata: { name: 'only', namespace: 'work' } })
        await client.resource(ResourceQuota).create({ metadata: { name: 'few', namespace: 'work' }, spec })
        await stage.clock.settle()
        await client.resource(ServiceAccount).in('work').delete('default')
      })
      await stage.step('the other one goes', () => client.resource(ServiceAccount).in('work').delete('only'))
      await stage.advance('1m')
      await stage.step('the namespace goes', () => namespaces.delete('work'))
    },
  ))
