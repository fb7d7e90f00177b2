import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Secret } from '../../api/core/v1/secret.js'
import { ServiceAccount } from '../../api/core/v1/service-account.js'
import { environment } from '../../base/environment.js'
import { seededRandom } from '../../base/random.js'
import { VirtualClock } from '../../base/virtual-clock.js'
import { startTestCluster } from '../../testing/cluster.js'
import { withControllers } from '../../testing/controllers/interrupted-controllers.js'
import { type Identity, whoAmI } from '../../testing/servers/whoami.js'
import { tokenSecret } from './secrets.test.kit.js'

const controllers = ['serviceaccount-token-controller']

function atRest() {
  const clock = new VirtualClock()
  return { clock, environment: environment({ clock, random: seededRandom(1) }) }
}

test('a token in a secret speaks for its account, which is written down, until the secret is gone', async () => {
  const { clock, environment } = atRest()
  await using cluster = await startTestCluster({ controllers, environment })
  const secrets = cluster.client.resource(Secret).in('default')
  await cluster.client.resource(ServiceAccount).create({ metadata: { name: 'robot', namespace: 'default' } })
  await secrets.create(tokenSecret('robot-token', 'robot'))
  await clock.settle()
  const token = Buffer.from((await secrets.get('robot-token')).data!.token!, 'base64').toString()
  const headers = ['Authorization', `Bearer ${token}`]
  const identity = (await whoAmI(cluster, { headers })) as Identity
  assert.equal(identity.username, 'system:serviceaccount:default:robot')
  await clock.settle()
  const { labels } = (await secrets.get('robot-token')).metadata
  assert.deepEqual(labels, { 'kubernetes.io/legacy-token-last-used': '2026-01-01' })
  await secrets.delete('robot-token')
  assert.equal(await whoAmI(cluster, { headers }), 401)
})

test('secrets are filled and forgotten, after whichever write the loop is killed', async () => {
  const { clock, environment } = atRest()
  await using cluster = await startTestCluster({ controllers: [], environment })
  const { serviceAccountKey } = cluster.keys
  const options = { credentials: { serviceAccountKey, rootAuthority: cluster.authority } }
  const accounts = cluster.client.resource(ServiceAccount).in('default')
  const secrets = cluster.client.resource(Secret).in('default')
  for (let writes = 0; writes <= 4; writes++) {
    await accounts.create({ metadata: { name: 'robot' } })
    for (const name of ['one', 'two', 'three']) await secrets.create(tokenSecret(name, 'robot'))
    await withControllers(cluster, { controllers, options, writes }, () => clock.advance('1s'))
    const early = (await secrets.get('one')).data?.token
    await withControllers(cluster, { controllers, options }, () => clock.advance('1s'))
    const { items } = await secrets.list()
    for (const { data } of items) assert.deepEqual(Object.keys(data ?? {}).sort(), ['ca.crt', 'namespace', 'token'])
    if (early !== undefined) assert.equal((await secrets.get('one')).data?.token, early)
    await accounts.delete('robot')
    await withControllers(cluster, { controllers, options, writes }, () => clock.advance('1s'))
    await withControllers(cluster, { controllers, options }, () => clock.advance('1s'))
    assert.equal((await secrets.list()).items.length, 0)
  }
})
