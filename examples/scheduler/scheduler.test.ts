import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { Node } from 'proa/api/core/v1/node'
import { Pod } from 'proa/api/core/v1/pod'
import { type Client, clientByKubeconfig, environment } from 'proa/client'
import { type ClusterAccess, startCluster } from 'proa/testing'
import { runExampleScheduler } from './scheduler.js'

/** Beside this file, or where it is in the repository of Proa. */
const rights = readFileSync(['scheduler.yaml', 'examples/scheduler/scheduler.yaml'].find(existsSync)!, 'utf8')

const transports: Readonly<Record<string, (access: ClusterAccess) => Promise<Client>>> = {
  'within the process': async ({ client }) => client,
  'over HTTPS': ({ kubeconfig }) => clientByKubeconfig({ kubeconfig }),
}

interface World extends AsyncDisposable {
  readonly admin: Client
}

/** Starts a cluster with nodes that take two pods each, and the example with the rights that `scheduler.yaml` gives it. */
async function startWorld(connect: (access: ClusterAccess) => Promise<Client>): Promise<World> {
  // Without a node lifecycle controller: the nodes of this test send no heartbeats.
  const cluster = await startCluster({ nodes: 0, controllers: ['*', '-node-lifecycle-controller'] })
  const admin = cluster.client
  await cluster.apply(rights)
  for (const name of ['na', 'nb', 'nc']) await makeNode(admin, name)
  const stopping = new AbortController()
  const { signal } = stopping
  const client = await connect(cluster.as({ serviceAccount: 'example-scheduler', namespace: 'kube-system' }))
  const example = runExampleScheduler({ client, environment: environment(), name: 'example', signal })
  return {
    admin,
    async [Symbol.asyncDispose]() {
      stopping.abort()
      await example
      client.close()
      await cluster.close()
    },
  }
}

async function makeNode(admin: Client, name: string): Promise<void> {
  const amounts = { cpu: '4', memory: '8Gi', pods: '2' }
  const conditions = [{ type: 'Ready', status: 'True' }]
  const status = { allocatable: amounts, capacity: amounts, conditions } as never
  await admin.resource(Node).create({ metadata: { name }, status })
  await admin.resource(Node).patch(name, 'merge', { spec: { taints: null } })
}

function makePod(admin: Client, name: string, spec: object = {}): Promise<Pod> {
  const containers = [{ name: 'c', image: 'web' }]
  return admin.resource(Pod).create({ metadata: { name, namespace: 'default' }, spec: { containers, ...spec } })
}

/** Where they are, as soon as all of them are somewhere. */
async function placesOf(admin: Client, ...names: readonly string[]): Promise<readonly string[]> {
  const pods = admin.resource(Pod).in('default')
  for (;;) {
    const places = await Promise.all(names.map(async (name) => (await pods.get(name)).spec.nodeName))
    if (places.every(Boolean)) return places as string[]
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

const mine = { schedulerName: 'example' }

for (const [how, connect] of Object.entries(transports))
  describe(`the example scheduler ${how}`, () => {
    test('fills one node after the other with the pods that name it', async () => {
      await using world = await startWorld(connect)
      const { admin } = world
      for (const name of ['p1', 'p2', 'p3', 'p4', 'p5']) await makePod(admin, name, mine)
      const places = await placesOf(admin, 'p1', 'p2', 'p3', 'p4', 'p5')
      const counts = ['na', 'nb', 'nc'].map((node) => places.filter((place) => place === node).length)
      assert.deepEqual(counts, [2, 2, 1])
    })

    test('leaves all others to whom they name', async () => {
      await using world = await startWorld(connect)
      const { admin } = world
      await admin.resource(Node).patch('na', 'merge', { metadata: { labels: { only: 'here' } } })
      // Only the usual scheduler minds what the pod selects.
      await makePod(admin, 'usual', { nodeSelector: { only: 'here' } })
      await makePod(admin, 'foreign', { schedulerName: 'somebody-else' })
      await makePod(admin, 'p', mine)
      assert.deepEqual(await placesOf(admin, 'usual', 'p'), ['na', 'na'])
      assert.equal((await admin.resource(Pod).in('default').get('foreign')).spec.nodeName, undefined)
    })

    test('waits for a node that it can use', async () => {
      await using world = await startWorld(connect)
      const { admin } = world
      const nodes = admin.resource(Node)
      for (const name of ['na', 'nb', 'nc']) await nodes.patch(name, 'merge', { spec: { unschedulable: true } })
      await makePod(admin, 'p', mine)
      await makePod(admin, 'gated', { ...mine, schedulingGates: [{ name: 'example.com/wait' }] })
      await nodes.patch('nb', 'merge', { spec: { unschedulable: null, taints: null } })
      assert.deepEqual(await placesOf(admin, 'p'), ['nb'])
      assert.equal((await admin.resource(Pod).in('default').get('gated')).spec.nodeName, undefined)
    })
  })
