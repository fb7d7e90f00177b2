import { Namespace } from 'proa/api/core/v1/namespace'
import { ServiceAccount } from 'proa/api/core/v1/service-account'
import { type Cluster, startCluster } from 'proa/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'

const shop = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } }

let prepared: Cluster

beforeAll(async () => {
  prepared = await startCluster()
  await prepared.apply(shop)
  await prepared.waitFor(ServiceAccount, 'default', undefined, { namespace: 'shop' })
})
afterAll(() => prepared.close())

test('a namespace that is deleted goes with all that is in it', async () => {
  await using cluster = await prepared.fork()
  await cluster.client.resource(Namespace).delete('shop')
  await expect
    .poll(() => cluster.client.resource(Namespace).list())
    .not.toMatchObject({
      items: expect.arrayContaining([expect.objectContaining({ metadata: expect.objectContaining({ name: 'shop' }) })]),
    })
})

test('what one test does, another one does not see', async () => {
  await using cluster = await prepared.fork()
  const { metadata } = await cluster.client.resource(Namespace).get('shop')
  expect(metadata.deletionTimestamp).toBeUndefined()
})
