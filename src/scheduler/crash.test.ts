import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Pod } from '../api/core/v1/pod.js'
import type { ClientRequest, Transport } from '../client/transport.js'
import { type Fault, FaultyTransport } from '../testing/faulty-transport.js'
import { World } from './world.test.kit.js'

/** Everything that is bound, in the order in which the server heard it. */
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

/** No node has promised more than it has. */
function assertNothingOvercommitted(pods: readonly Pod[], most: number): void {
  const counts = new Map<string, number>()
  for (const { spec } of pods) if (spec.nodeName) counts.set(spec.nodeName, (counts.get(spec.nodeName) ?? 0) + 1)
  for (const [name, count] of counts) assert.ok(count <= most, `${name} has ${count} pods`)
}

test('where the answer to a binding is lost, the pod is bound once and its room is kept', async () => {
  await using world = await World.begin()
  await world.addNode('na', { allocatable: { cpu: '1' } })
  const bindings = new Bindings()
  let losses = 2
  const faultOf = (request: ClientRequest): Fault => (isBinding(request) && losses-- > 0 ? { answerLost: lost } : {})
  await world.start({
    transport: (inner) => new FaultyTransport(world.clock, () => bindings.observe(inner), faultOf),
  })
  await world.addPod('p', { requests: { cpu: '1' } })
  await world.addPod('q', { requests: { cpu: '1' } })
  await world.clock.advance('1m')
  assert.deepEqual(await world.placements(), ['p on na', 'q: 0/1 nodes are available: 1 Insufficient cpu.'])
  assert.equal(bindings.accepted.length, 1)
  assert.ok((await world.events()).includes('Scheduled p: Successfully assigned default/p to na'))
})

test('a binding that does not reach the server is sent again, and meanwhile nobody takes the room', async () => {
  await using world = await World.begin()
  await world.addNode('na', { allocatable: { cpu: '1' } })
  let failures = 5
  const faultOf = (request: ClientRequest): Fault => {
    return request.path.endsWith('/pods/p/binding') && failures-- > 0 ? { refused: lost } : {}
  }
  await world.start({ transport: (inner) => new FaultyTransport(world.clock, () => inner, faultOf) })
  await world.addPod('p', { requests: { cpu: '1' } })
  await world.rest()
  await world.addPod('q', { requests: { cpu: '1' } })
  await world.clock.advance('1m')
  assert.deepEqual(await world.placements(), ['p on na', 'q: 0/1 nodes are available: 1 Insufficient cpu.'])
})

test('a binding to which no answer ever comes does not keep a pod from being bound', async () => {
  await using world = await World.begin()
  await world.addNode('na')
  let hangs = 1
  const faultOf = (request: ClientRequest): Fault => (isBinding(request) && hangs-- > 0 ? { hangs: 'before' } : {})
  await world.start({ transport: (inner) => new FaultyTransport(world.clock, () => inner, faultOf) })
  await world.addPod('p')
  await world.clock.advance('1m')
  assert.deepEqual(await world.placements(), ['p on na'])
})

test('a pod that the server refuses to bind is tried again, and its room is given to others', async () => {
  await using world = await World.begin()
  await world.addNode('na', { allocatable: { cpu: '1' } })
  const rejections: string[] = []
  await world.start({
    transport: (inner) => ({
      ...inner,
      send: async (request) => {
        // As if there were no such pod any more, of which the informers have not heard yet.
        const isFirst = isBinding(request) && request.path.includes('/p/') && rejections.length === 0
        if (isFirst) rejections.push(request.path)
        return inner.send(
          isFirst ? { ...request, body: { ...(request.body as object), metadata: { name: 'x' } } } : request,
        )
      },
      close: () => inner.close(),
    }),
  })
  await world.addPod('p', { requests: { cpu: '1' } })
  await world.rest()
  const [condition] = (await world.pod('p')).status.conditions ?? []
  assert.equal(condition?.reason, 'SchedulerError')
  assert.match(condition.message!, /^running Bind plugin "DefaultBinder": name in URL does not match/)
  await world.addPod('q', { requests: { cpu: '1' } })
  await world.rest()
  assert.deepEqual(
    (await world.pods()).map(({ spec }) => spec.nodeName),
    [undefined, 'na'],
  )
  await world.clock.advance('2s')
  assert.equal((await world.placements())[0], 'p: 0/1 nodes are available: 1 Insufficient cpu.')
})

for (const writes of [0, 1, 2, 3, 5, 8])
  test(`killed after ${writes} writes, another one goes on, and every pod is bound once`, async () => {
    await using world = await World.begin(writes + 1)
    for (const name of ['na', 'nb']) await world.addNode(name, { allocatable: { cpu: '3' } })
    const bindings = new Bindings()
    for (let i = 0; i < 8; i++) await world.addPod(`p${i}`, { requests: { cpu: '1' } })
    let left = writes
    const killed = await world.start({
      transport: (inner) => {
        const faultOf = ({ method }: ClientRequest): Fault => {
          if (method === 'GET' || left-- > 0) return {}
          // The last thing that it said may have been heard, but it never learns of it.
          return left === -1 ? { answerLost: lost } : { refused: lost }
        }
        return new FaultyTransport(world.clock, () => bindings.observe(inner), faultOf)
      },
    })
    await world.rest()
    await world.stop(killed)
    await world.start({ transport: (inner) => bindings.observe(inner) })
    await world.clock.advance('1m')
    const pods = await world.pods()
    assert.equal(pods.filter(({ spec }) => spec.nodeName).length, 6)
    assertNothingOvercommitted(pods, 3)
    assert.equal(new Set(bindings.accepted).size, bindings.accepted.length, 'a pod was bound twice')
  })

test('two schedulers that know nothing of each other never bind a pod twice', async () => {
  await using world = await World.begin()
  for (const name of ['na', 'nb', 'nc']) await world.addNode(name)
  const bindings = new Bindings()
  for (let i = 0; i < 2; i++) await world.start({ transport: (inner) => bindings.observe(inner) })
  await Promise.all(Array.from({ length: 20 }, (_, i) => world.addPod(`p${i}`, { requests: { cpu: '100m' } })))
  await world.clock.advance('1m')
  const pods = await world.pods()
  assert.equal(pods.filter(({ spec }) => spec.nodeName).length, 20)
  assert.equal(bindings.accepted.length, 20)
  assert.equal(new Set(bindings.accepted).size, 20)
  // Who lost says nothing: the pod has its place.
  for (const { status } of pods)
    assert.deepEqual(
      status.conditions?.map(({ status: isTrue }) => isTrue),
      ['True'],
    )
})

test('what was said of a pod that could not be placed does not overwrite that it was', async () => {
  await using world = await World.begin()
  await world.addNode('na', { spec: { unschedulable: true } })
  const faultOf = ({ method, path }: ClientRequest): Fault =>
    method === 'PATCH' && path.endsWith('/status') ? { requestDelay: 500 } : {}
  await world.start({ transport: (inner) => new FaultyTransport(world.clock, () => inner, faultOf) })
  await world.addPod('p')
  await world.rest()
  await world.addNode('nb')
  await world.clock.advance('1m')
  const { spec, status } = await world.pod('p')
  assert.equal(spec.nodeName, 'nb')
  assert.deepEqual(
    status.conditions?.map(({ type, status: isTrue }) => [type, isTrue]),
    [['PodScheduled', 'True']],
  )
})
