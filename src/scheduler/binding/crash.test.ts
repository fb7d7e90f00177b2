import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Pod } from '../../api/core/v1/pod.js'
import type { ClientRequest, Transport } from '../../client/transport.js'
import { FaultyTransport, type TransportFault } from '../../testing/faults/faulty-transport.js'
import { SchedulerHarness } from '../harness.test.kit.js'

/** Records the bindings that the server accepted, in order. */
class Bindings {
  readonly accepted: string[] = []

  observe(inner: Transport): Transport {
    return {
      ...inner,
      send: async (request) => {
        const answered = await inner.send(request)
        if (isBinding(request)) this.accepted.push(request.path)
        return answered
      },
      close: () => inner.close(),
    }
  }
}

function isBinding({ method, path }: ClientRequest): boolean {
  return method === 'POST' && path.endsWith('/binding')
}

const lost = new Error('read ECONNRESET')

/** No node has more pods than fit. */
function assertCapacity(pods: readonly Pod[], max: number): void {
  const counts = new Map<string, number>()
  for (const { spec } of pods) if (spec.nodeName) counts.set(spec.nodeName, (counts.get(spec.nodeName) ?? 0) + 1)
  for (const [name, count] of counts) assert.ok(count <= max, `${name} has ${count} pods`)
}

test('after a lost response the pod is bound once and its room stays reserved', async () => {
  await using harness = await SchedulerHarness.create()
  await harness.addNode('na', { allocatable: { cpu: '1' } })
  const bindings = new Bindings()
  let losses = 2
  const faultOf = (request: ClientRequest): TransportFault =>
    isBinding(request) && losses-- > 0 ? { responseLost: lost } : {}
  await harness.startScheduler({
    transport: (inner) => new FaultyTransport(harness.clock, () => bindings.observe(inner), faultOf),
  })
  await harness.addPod('p', { requests: { cpu: '1' } })
  await harness.addPod('q', { requests: { cpu: '1' } })
  await harness.clock.advance('1m')
  assert.deepEqual(await harness.placements(), ['p on na', 'q: 0/1 nodes are available: 1 Insufficient cpu.'])
  assert.equal(bindings.accepted.length, 1)
  assert.ok((await harness.events()).includes('Scheduled p: Successfully assigned default/p to na'))
})

test('a binding that did not reach the server is sent again, and its room stays reserved', async () => {
  await using harness = await SchedulerHarness.create()
  await harness.addNode('na', { allocatable: { cpu: '1' } })
  let failures = 5
  const faultOf = (request: ClientRequest): TransportFault => {
    return request.path.endsWith('/pods/p/binding') && failures-- > 0 ? { refused: lost } : {}
  }
  await harness.startScheduler({ transport: (inner) => new FaultyTransport(harness.clock, () => inner, faultOf) })
  await harness.addPod('p', { requests: { cpu: '1' } })
  await harness.settle()
  await harness.addPod('q', { requests: { cpu: '1' } })
  await harness.clock.advance('1m')
  assert.deepEqual(await harness.placements(), ['p on na', 'q: 0/1 nodes are available: 1 Insufficient cpu.'])
})

test('a binding without any response is sent again after its timeout', async () => {
  await using harness = await SchedulerHarness.create()
  await harness.addNode('na')
  let hangs = 1
  const faultOf = (request: ClientRequest): TransportFault =>
    isBinding(request) && hangs-- > 0 ? { hangs: 'before' } : {}
  await harness.startScheduler({ transport: (inner) => new FaultyTransport(harness.clock, () => inner, faultOf) })
  await harness.addPod('p')
  await harness.clock.advance('1m')
  assert.deepEqual(await harness.placements(), ['p on na'])
})

test('after a rejected binding the pod is scheduled again and its room is free', async () => {
  await using harness = await SchedulerHarness.create()
  await harness.addNode('na', { allocatable: { cpu: '1' } })
  const rejections: string[] = []
  await harness.startScheduler({
    transport: (inner) => ({
      ...inner,
      send: async (request) => {
        // The server rejects a binding whose name differs from the path.
        const isFirst = isBinding(request) && request.path.includes('/p/') && rejections.length === 0
        if (isFirst) rejections.push(request.path)
        return inner.send(
          isFirst ? { ...request, body: { ...(request.body as object), metadata: { name: 'x' } } } : request,
        )
      },
      close: () => inner.close(),
    }),
  })
  await harness.addPod('p', { requests: { cpu: '1' } })
  await harness.settle()
  const [condition] = (await harness.pod('p')).status.conditions ?? []
  assert.equal(condition?.reason, 'SchedulerError')
  assert.match(condition.message!, /^running Bind plugin "DefaultBinder": name in URL does not match/)
  await harness.addPod('q', { requests: { cpu: '1' } })
  await harness.settle()
  assert.deepEqual(
    (await harness.pods()).map(({ spec }) => spec.nodeName),
    [undefined, 'na'],
  )
  await harness.clock.advance('2s')
  assert.equal((await harness.placements())[0], 'p: 0/1 nodes are available: 1 Insufficient cpu.')
})

for (const writes of [0, 1, 2, 3, 5, 8])
  test(`after a crash with ${writes} writes a new scheduler binds every pod once`, async () => {
    await using harness = await SchedulerHarness.create(writes + 1)
    for (const name of ['na', 'nb']) await harness.addNode(name, { allocatable: { cpu: '3' } })
    const bindings = new Bindings()
    for (let i = 0; i < 8; i++) await harness.addPod(`p${i}`, { requests: { cpu: '1' } })
    let left = writes
    const killed = await harness.startScheduler({
      transport: (inner) => {
        const faultOf = ({ method }: ClientRequest): TransportFault => {
          if (method === 'GET' || left-- > 0) return {}
          // The last request takes effect, but its response is lost.
          return left === -1 ? { responseLost: lost } : { refused: lost }
        }
        return new FaultyTransport(harness.clock, () => bindings.observe(inner), faultOf)
      },
    })
    await harness.settle()
    await harness.stopScheduler(killed)
    await harness.startScheduler({ transport: (inner) => bindings.observe(inner) })
    await harness.clock.advance('1m')
    const pods = await harness.pods()
    assert.equal(pods.filter(({ spec }) => spec.nodeName).length, 6)
    assertCapacity(pods, 3)
    assert.equal(new Set(bindings.accepted).size, bindings.accepted.length, 'a pod was bound twice')
  })

test('two concurrent schedulers never bind a pod twice', async () => {
  await using harness = await SchedulerHarness.create()
  for (const name of ['na', 'nb', 'nc']) await harness.addNode(name)
  const bindings = new Bindings()
  for (let i = 0; i < 2; i++) await harness.startScheduler({ transport: (inner) => bindings.observe(inner) })
  await Promise.all(Array.from({ length: 20 }, (_, i) => harness.addPod(`p${i}`, { requests: { cpu: '100m' } })))
  await harness.clock.advance('1m')
  const pods = await harness.pods()
  assert.equal(pods.filter(({ spec }) => spec.nodeName).length, 20)
  assert.equal(bindings.accepted.length, 20)
  assert.equal(new Set(bindings.accepted).size, 20)
  // The scheduler that came second writes no condition, because the pod has a node.
  for (const { status } of pods)
    assert.deepEqual(
      status.conditions?.map(({ status: isTrue }) => isTrue),
      ['True'],
    )
})

test('a late Unschedulable condition does not overwrite the one of the binding', async () => {
  await using harness = await SchedulerHarness.create()
  await harness.addNode('na', { spec: { unschedulable: true } })
  const faultOf = ({ method, path }: ClientRequest): TransportFault =>
    method === 'PATCH' && path.endsWith('/status') ? { requestDelay: 500 } : {}
  await harness.startScheduler({ transport: (inner) => new FaultyTransport(harness.clock, () => inner, faultOf) })
  await harness.addPod('p')
  await harness.settle()
  await harness.addNode('nb')
  await harness.clock.advance('1m')
  const { spec, status } = await harness.pod('p')
  assert.equal(spec.nodeName, 'nb')
  assert.deepEqual(
    status.conditions?.map(({ type, status: isTrue }) => [type, isTrue]),
    [['PodScheduled', 'True']],
  )
})
