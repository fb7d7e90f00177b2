import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConfigMap } from '../../api/core/v1/config-map.js'
import { Namespace } from '../../api/core/v1/namespace.js'
import { ServiceAccount } from '../../api/core/v1/service-account.js'
import { ClusterRole } from '../../api/rbac/v1/cluster-role.js'
import { type WriteFault, WriteFaultInjector } from '../../testing/faults/write-faults.js'
import { ControllerHarness } from '../harness.test.kit.js'

const controllers = [
  'serviceaccount-controller',
  'root-ca-certificate-publisher-controller',
  'clusterrole-aggregation-controller',
]
const options = { credentials: { rootAuthority: 'authority' } }

async function settled(harness: ControllerHarness): Promise<object> {
  const accounts = await harness.client.resource(ServiceAccount).list()
  const maps = await harness.client.resource(ConfigMap).list({ fieldSelector: 'metadata.name=kube-root-ca.crt' })
  const { rules = [] } = await harness.client.resource(ClusterRole).get('all')
  return {
    accounts: accounts.items.map(({ metadata }) => `${metadata.namespace}/${metadata.name}`).sort(),
    maps: maps.items.map(({ metadata, data }) => `${metadata.namespace}: ${data?.['ca.crt']}`).sort(),
    rules: rules.map(({ resources }) => resources?.join()),
  }
}

const namespaces = ['default', 'kube-node-lease', 'kube-public', 'kube-system', 'work']

for (const fault of ['afterResponse', 'beforeResponse', 'responseLost'] as readonly WriteFault[])
  test(`what every cluster has is there, after whichever write the loops are struck (${fault})`, async () => {
    for (let writes = 1; writes <= 16; writes += 3) {
      await using harness = await ControllerHarness.begin()
      const roles = harness.client.resource(ClusterRole)
      const labels = { 'to-all': 'yes' }
      const selector = { clusterRoleSelectors: [{ matchLabels: labels }] }
      const rule = { apiGroups: [''], resources: ['pods'], verbs: ['get'] }
      await harness.client.resource(Namespace).create({ metadata: { name: 'work' } })
      await roles.create({ metadata: { name: 'all' }, aggregationRule: selector })
      await roles.create({ metadata: { name: 'one', labels }, rules: [rule] })
      harness.start({ controllers, options, transport: new WriteFaultInjector({ after: writes, fault }).wrap })
      await harness.clock.advance('10s')
      await harness.settle(harness.stop())
      harness.start({ controllers, options })
      await harness.clock.advance('10s')
      assert.deepEqual(
        await settled(harness),
        {
          accounts: namespaces.map((name) => `${name}/default`),
          maps: namespaces.map((name) => `${name}: authority`),
          rules: ['pods'],
        },
        `after ${writes} writes`,
      )
    }
  })
