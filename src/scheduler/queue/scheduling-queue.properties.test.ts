import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { samplePod } from '../scheduler.test.kit.js'
import { labelsChanged, nodeAdded, podDeleted, startQueue } from './queue.test.kit.js'
import type { QueuedPod } from './queued-pod.js'

const events = [labelsChanged, nodeAdded, podDeleted(), podDeleted('other')] as const
const rejections: readonly (readonly string[])[] = [[], ['Labels'], ['Room'], ['Labels', 'Room'], ['Vague']]

const step = fc.record({
  do: fc.constantFrom('put', 'put', 'take', 'take', 'take', 'fail', 'fail', 'done', 'remove', 'event', 'wait'),
  pod: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
  event: fc.constantFrom(...events),
  rejectedBy: fc.constantFrom(...rejections),
  milliseconds: fc.constantFrom(1, 300, 1000, 5000, 60_000),
})

test('no pod is lost or taken twice: each comes back until it is done or removed', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
      const { queue, clock } = startQueue()
      const waiting = new Set<string>()
      const inFlight = new Map<string, QueuedPod>()
      const take = () => {
        const queued = queue.take()
        if (!queued) return
        assert.ok(waiting.has(queued.uid), `${queued.uid} is taken although it was removed`)
        assert.ok(!inFlight.has(queued.uid), `${queued.uid} is taken twice`)
        inFlight.set(queued.uid, queued)
      }
      for (const { do: what, pod, event, rejectedBy, milliseconds } of steps) {
        const queued = inFlight.get(pod)
        if (what === 'put') {
          queue.addOrUpdate(samplePod(pod))
          waiting.add(pod)
        } else if (what === 'take') take()
        else if (what === 'fail' && queued) {
          queue.failed(queued, new Set(rejectedBy))
          inFlight.delete(pod)
        } else if (what === 'done' && queued) {
          queue.done(queued)
          inFlight.delete(pod)
          waiting.delete(pod)
        } else if (what === 'remove') {
          queue.remove(pod)
          inFlight.delete(pod)
          waiting.delete(pod)
        } else if (what === 'event') queue.handleEvent(event)
        else if (what === 'wait') await clock.advance(milliseconds)
      }
      for (const queued of inFlight.values()) queue.failed(queued, new Set(['Room']))
      inFlight.clear()
      await clock.advance('6m')
      while (inFlight.size < waiting.size) {
        const before = inFlight.size
        take()
        assert.ok(inFlight.size > before, `of ${[...waiting]}, only ${[...inFlight.keys()]} came back`)
      }
      assert.equal(queue.take(), undefined)
      for (const queued of inFlight.values()) queue.done(queued)
      assert.equal(queue.rememberedEvents, 0)
      assert.deepEqual(queue.sizes, { active: 0, backoff: 0, unschedulable: 0, gated: 0 })
      queue.close()
    }),
    { numRuns: 200 },
  )
})

test('an event that can help a pod is never missed', async () => {
  const moments = ['before it is taken', 'while it is in flight', 'after it failed'] as const
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...moments), fc.array(fc.constantFrom(...events)), async (moment, others) => {
      const { queue } = startQueue()
      const happen = (when: (typeof moments)[number]) => {
        if (when !== moment) return
        for (const other of others) queue.handleEvent(other)
        queue.handleEvent(labelsChanged)
      }
      queue.addOrUpdate(samplePod('p'))
      happen('before it is taken')
      const queued = queue.take()!
      happen('while it is in flight')
      queue.failed(queued, new Set(['Labels']))
      happen('after it failed')
      // The attempt has seen the events from before it was taken.
      assert.equal(queue.take()?.uid, moment === 'before it is taken' ? undefined : 'p')
      queue.close()
    }),
  )
})
