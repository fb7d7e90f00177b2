import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { parseAllDocuments } from 'yaml'
import { Node } from '../../src/api/core/v1/node.js'
import { Pod } from '../../src/api/core/v1/pod.js'
import { ServiceAccount } from '../../src/api/core/v1/service-account.js'
import { ClusterRole } from '../../src/api/rbac/v1/cluster-role.js'
import { ClusterRoleBinding } from '../../src/api/rbac/v1/cluster-role-binding.js'
import type { Client } from '../../src/client/client.js'
import { schedulerTransport, startScheduler } from '../../src/scheduler/scheduler.js'
import { startTestApiServer, type TestApiServer } from '../../src/testing/api-server.js'
import { httpsClient, inProcessClient } from '../../src/testing/clients.js'
import { runExampleScheduler } from './scheduler.js'

const user = {
  name: 'system:serviceaccount:kube-system:example-scheduler',
  uid: '',
  groups: ['system:serviceaccounts', 'system:serviceaccounts:kube-system', 'system:authenticated'],
  extra: {},
}

const transports: Readonly<Record<string, (server: TestApiServer) => Client>> = {
  'within the process': (server) => inProcessClient(server, { user }),
  'over HTTPS': (server) => httpsClient(server, { token: 'example' }),
}

interface World extends AsyncDisposable {
  readonly admin: Client
  readonly server: TestApiServer
}

/** A server with nodes of two places each, the scheduler that comes with it, and the example, which may no more than the file says. */
async function startWorld(connect: (server: TestApiServer) => Client): Promise<World> {
  const server = await startTestApiServer({ tokens: [`example,${user.name},,"${user.groups.join(',')}"`] })
  const admin = inProcessClient(server)
  await admin.resource(ServiceAccount).create({ metadata: { name: 'default', namespace: 'default' } })
  await applyFile(admin)
  for (const name of ['na', 'nb', 'nc']) await makeNode(admin, name)
  const stopping = new AbortController()
  const client = connect(server)
  const example = runExampleScheduler({
    client,
    environment: server.environment,
    name: 'example',
    signal: stopping.signal,
  })
  const usual = startScheduler({
    environment: server.environment,
    transport: schedulerTransport(server.api.handleInProcess),
  })
  return {
    admin,
    server,
    async [Symbol.asyncDispose]() {
      stopping.abort()
      await example
      await usual.close()
      client.close()
      admin.close()
      await server.close()
    },
  }
}

async function applyFile(admin: Client): Promise<void> {
  const text = readFileSync('examples/scheduler/scheduler.yaml', 'utf8')
  const kinds = { ServiceAccount, ClusterRole, ClusterRoleBinding }
  for (const document of parseAllDocuments(text)) {
    const object = document.toJS() as { readonly kind: keyof typeof kinds }
    await admin.resource(kinds[object.kind] as typeof ClusterRole).create(object as never)
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
