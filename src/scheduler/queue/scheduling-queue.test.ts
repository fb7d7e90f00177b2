import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ClusterEvent } from '../framework/cluster-event.js'
import { type PodParts, samplePod } from '../scheduler.test.kit.js'
import { labelsChanged, nodeAdded, podDeleted, startQueue } from './queue.test.kit.js'
import type { QueuedPod } from './queued-pod.js'
import type { SchedulingQueue } from './scheduling-queue.js'

function names(queue: SchedulingQueue): string[] {
  const taken: string[] = []
  for (let queued = queue.take(); queued; queued = queue.take()) taken.push(queued.uid)
  return taken
}

function taken(queue: SchedulingQueue, name = 'p', parts: PodParts = {}): QueuedPod {
  queue.addOrUpdate(samplePod(name, parts))
  return queue.take()!
}

test('pods come by priority, then by time in the queue', async () => {
  const { queue, clock } = startQueue()
  queue.addOrUpdate(samplePod('first'))
  await clock.advance(5)
  queue.addOrUpdate(samplePod('second'))
  queue.addOrUpdate(samplePod('third'))
  queue.addOrUpdate(samplePod('vip', { spec: { priority: 10 } }))
  queue.addOrUpdate(samplePod('low', { spec: { priority: -10 } }))
  assert.deepEqual(names(queue), ['vip', 'first', 'second', 'third', 'low'])
  queue.close()
})

test('next resolves as soon as there is a pod', async () => {
  const { queue } = startQueue()
  const next = queue.next()
  queue.addOrUpdate(samplePod('p'))
  assert.equal((await next)?.uid, 'p')
  const none = queue.next()
  queue.close()
  assert.equal(await none, undefined)
})

test('an unschedulable pod comes back with an event that can help it, and with no other', () => {
  const cases: readonly [rejectedBy: readonly string[], event: ClusterEvent, comes: boolean][] = [
    [['Labels'], labelsChanged, true],
    [['Labels'], nodeAdded, false],
    [['Labels'], podDeleted(), false],
    [['Room'], podDeleted(), true],
    [['Room'], podDeleted('other'), false],
    [['Labels', 'Room'], podDeleted(), true],
    [['Labels', 'Room'], podDeleted('other'), false],
    [['Vague'], podDeleted('other'), true],
    [['Unknown'], podDeleted('other'), true],
    [['NodeName'], nodeAdded, false],
    [['TaintToleration'], nodeAdded, true],
  ]
  for (const [rejectedBy, event, comes] of cases) {
    const { queue } = startQueue()
    queue.failed(taken(queue), new Set(rejectedBy))
    assert.deepEqual(names(queue), [], 'the pod waits')
    queue.handleEvent(event)
    assert.deepEqual(names(queue), comes ? ['p'] : [], `${rejectedBy} and ${event.resource} ${event.actions}`)
    queue.close()
  }
})

test('next gets the first of all pods that one event helps, with and without backoff', async () => {
  for (const waited of ['0s', '1m']) {
    const { queue, clock } = startQueue()
    for (const name of ['low', 'highest', 'high'])
      queue.failed(taken(queue, name, { spec: { priority: name.length } }), new Set(['Labels']))
    await clock.advance(waited)
    const next = queue.next()
    queue.handleEvent(labelsChanged)
    assert.equal((await next)?.uid, 'highest', waited)
    assert.deepEqual(names(queue), ['high', 'low'])
    queue.close()
  }
})

test('a queueing hint that throws is reported, and the event counts as helpful', () => {
  const errors: unknown[] = []
  const { queue } = startQueue({ report: (error) => errors.push(error) })
  queue.failed(taken(queue), new Set(['Broken']))
  queue.handleEvent({ resource: 'Namespace', actions: ['added'], object: { metadata: { name: 'n' } } as never })
  assert.deepEqual(names(queue), ['p'])
  assert.equal(errors.length, 1)
  queue.close()
})

test('an event while the pod is in flight counts when it comes back', () => {
  const { queue } = startQueue()
  const queued = taken(queue)
  queue.handleEvent(labelsChanged)
  queue.failed(queued, new Set(['Labels']))
  assert.deepEqual(names(queue), ['p'])
  assert.equal(queue.rememberedEvents, 0)
  queue.close()
})

test('an event before the pod was taken does not count', () => {
  const { queue } = startQueue()
  const other = taken(queue, 'other')
  queue.handleEvent(labelsChanged)
  queue.failed(taken(queue), new Set(['Labels']))
  assert.deepEqual(names(queue), [])
  assert.equal(queue.rememberedEvents, 1)
  queue.done(other)
  assert.equal(queue.rememberedEvents, 0)
  queue.close()
})

test('an update of the pod itself can help it, also while it is in flight', () => {
  const tolerant = samplePod('p', { spec: { tolerations: [{ operator: 'Exists' }] }, metadata: { generation: 2 } })
  for (const isInFlight of [true, false]) {
    const { queue } = startQueue()
    const queued = taken(queue)
    if (isInFlight) queue.addOrUpdate(tolerant)
    queue.failed(queued, new Set(['TaintToleration']))
    if (!isInFlight) queue.addOrUpdate(tolerant)
    const again = queue.take()
    assert.equal(again?.info.pod, tolerant)
    queue.close()
  }
})

test('a status update by the scheduler does not bring a pod back', () => {
  const { queue } = startQueue()
  queue.failed(taken(queue), new Set(['Vague']))
  queue.addOrUpdate(samplePod('p', { status: { conditions: [{ type: 'PodScheduled', status: 'False' }] } as never }))
  assert.deepEqual(names(queue), [])
  queue.close()
})

test('an update of one pod does not help another', () => {
  const { queue } = startQueue()
  for (const name of ['p', 'q']) queue.failed(taken(queue, name), new Set(['TaintToleration']))
  queue.addOrUpdate(samplePod('q', { spec: { tolerations: [{ operator: 'Exists' }] } }))
  assert.deepEqual(names(queue), ['q'])
  queue.close()
})

test('a gated pod waits until its last gate is removed', () => {
  const { queue } = startQueue()
  queue.addOrUpdate(samplePod('p', { spec: { schedulingGates: [{ name: 'a' }, { name: 'b' }] } }))
  assert.deepEqual(queue.sizes, { active: 0, backoff: 0, unschedulable: 0, gated: 1 })
  queue.addOrUpdate(samplePod('p', { spec: { schedulingGates: [{ name: 'b' }] }, metadata: { generation: 2 } }))
  queue.handleEvent(labelsChanged)
  assert.deepEqual(names(queue), [])
  queue.addOrUpdate(samplePod('p', { metadata: { generation: 3 } }))
  assert.deepEqual(names(queue), ['p'])
  queue.close()
})

test('after errors a pod backs off for 1, 2, 4, 8 and 10 seconds', async () => {
  const { queue, clock } = startQueue()
  let queued = taken(queue)
  for (const seconds of [1, 2, 4, 8, 10, 10]) {
    queue.failed(queued, new Set())
    await clock.advance(seconds * 1000 - 1)
    assert.equal(queue.take(), undefined, `before ${seconds} s`)
    await clock.advance(1)
    queued = queue.take()!
    assert.equal(queued?.uid, 'p', `after ${seconds} s`)
  }
  queue.close()
})

test('an unschedulable pod backs off as well, unless no other pod is active', async () => {
  const { queue } = startQueue()
  queue.failed(taken(queue, 'refused', { spec: { priority: 5 } }), new Set(['Labels']))
  queue.handleEvent(labelsChanged)
  queue.addOrUpdate(samplePod('fresh'))
  assert.deepEqual(queue.sizes, { active: 1, backoff: 1, unschedulable: 0, gated: 0 })
  assert.deepEqual(names(queue), ['fresh', 'refused'])
  queue.close()
})

test('pods with equal backoff come by priority', () => {
  const { queue } = startQueue()
  for (const [name, priority] of [
    ['low', 1],
    ['high', 9],
    ['middle', 5],
  ] as const)
    queue.failed(taken(queue, name, { spec: { priority } }), new Set(['Labels']))
  queue.handleEvent(labelsChanged)
  assert.deepEqual(names(queue), ['high', 'middle', 'low'])
  queue.close()
})

test('an unschedulable pod comes back after five minutes without an event', async () => {
  const { queue, clock } = startQueue()
  queue.failed(taken(queue), new Set(['Labels']))
  await clock.advance('5m')
  assert.deepEqual(names(queue), [])
  await clock.advance('31s')
  assert.deepEqual(names(queue), ['p'])
  queue.close()
})

test('a removed pod does not come back, in whichever state it was', async () => {
  const states: readonly ((queue: SchedulingQueue) => void)[] = [
    (queue) => queue.addOrUpdate(samplePod('p')),
    (queue) => queue.failed(taken(queue), new Set()),
    (queue) => queue.failed(taken(queue), new Set(['Labels'])),
    (queue) => {
      const queued = taken(queue)
      queue.remove('p')
      queue.failed(queued, new Set())
    },
  ]
  for (const put of states) {
    const { queue, clock } = startQueue()
    put(queue)
    queue.remove('p')
    queue.handleEvent(labelsChanged)
    await clock.advance('10m')
    assert.deepEqual(names(queue), [])
    queue.close()
  }
})

test('a requeued pod comes back after its backoff', async () => {
  const { queue, clock } = startQueue()
  const queued = taken(queue)
  queue.done(queued)
  assert.equal(queue.get('p'), undefined)
  queue.requeue(queued, samplePod('p'))
  assert.deepEqual(names(queue), [])
  await clock.advance('1s')
  assert.deepEqual(names(queue), ['p'])
  queue.close()
})

test('a pod is nominated to one node, until it is done or removed', () => {
  const { queue } = startQueue()
  const on = (name: string) => queue.nominated.onNode(name).map(({ uid }) => uid)
  queue.addOrUpdate(samplePod('p', { status: { nominatedNodeName: 'na' } }))
  assert.deepEqual([on('na'), on('nb')], [['p'], []])
  queue.addOrUpdate(samplePod('p', { status: { nominatedNodeName: 'nb' } }))
  assert.deepEqual([on('na'), on('nb')], [[], ['p']])
  queue.done(queue.take()!)
  assert.deepEqual(on('nb'), [])
  const queued = taken(queue, 'q')
  queue.nominated.put(queued.info, 'na')
  // The server reports another change of the pod before it knows the nomination.
  queue.addOrUpdate(samplePod('q', { metadata: { labels: { a: 'b' } } }))
  assert.deepEqual(on('na'), ['q'])
  queue.remove('q')
  assert.deepEqual(on('na'), [])
  queue.close()
})

test('a closed queue leaves no timer', () => {
  const { queue, clock } = startQueue()
  queue.failed(taken(queue), new Set())
  queue.close()
  assert.equal(clock.pending, 0)
})
