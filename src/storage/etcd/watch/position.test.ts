import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { StoreEvent } from '../../store.js'
import type { EtcdWatchResponse } from '../messages/watch.js'
import { eventRevision, WatchPosition } from './position.js'

function event(revision: number, key: string) {
  return { type: 'delete', key, revision } as const
}

function response(part: Partial<EtcdWatchResponse>): EtcdWatchResponse {
  const nothing = { watchId: 0, created: false, canceled: false, compactRevision: 0, cancelReason: '', fragment: false }
  return { ...nothing, revision: 0, bytes: 0, events: [], ...part }
}

/** A history: the number of changes of each of the revisions 1, 2, 3 … */
const histories = fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 30 })
/** Where a member splits its messages, and what happens in between: the stream breaks, or old changes are sent again. */
const cuts = fc.array(
  fc.record({ size: fc.integer({ min: 1, max: 12 }), next: fc.constantFrom('go on', 'break', 'repeat') }),
  {
    minLength: 1,
    maxLength: 40,
  },
)

test('with any splits, broken streams and repetitions, each revision is reported once, complete and in order', () => {
  fc.assert(
    fc.property(histories, cuts, (history, cuts) => {
      const all = history.flatMap((count, i) => Array.from({ length: count }, (_, k) => event(i + 1, `${k}`)))
      const position = new WatchPosition(1)
      const reported: StoreEvent[] = []
      let at = 0
      for (let step = 0; at < all.length; step++) {
        const { size, next } = cuts[step % cuts.length]!
        const calm = step >= 200
        const end = calm ? all.length : Math.min(all.length, at + size)
        // A member marks a fragment if it continues in the middle of a revision, and may do so elsewhere.
        const fragment = end < all.length && (all[end]!.revision === all[end - 1]!.revision || size % 2 === 0)
        const batch = position.accept(response({ events: all.slice(at, end), fragment, revision: history.length }))
        if (batch) {
          reported.push(...batch.events)
          assert.equal(batch.revision, eventRevision(batch.events.at(-1)!))
          assert.equal(position.next, batch.revision + 1)
        }
        at = end
        if (next !== 'go on' && !calm) {
          position.restart()
          at = all.findIndex(
            ({ revision }) => revision >= (next === 'repeat' ? Math.max(1, position.next - 2) : position.next),
          )
          if (at < 0) break
        }
      }
      assert.deepEqual(reported, all)
    }),
  )
})

test('progress moves the position, and never back', () => {
  const position = new WatchPosition(5)
  assert.deepEqual(position.accept(response({ revision: 9 })), { revision: 9, events: [] })
  assert.equal(position.next, 10)
  assert.equal(position.accept(response({ revision: 8 })), undefined)
  assert.equal(position.next, 10)
  assert.deepEqual(position.reach(12), { revision: 12, events: [] })
  assert.equal(position.next, 13)
})

test('a watch from a future revision stays there', () => {
  const position = new WatchPosition(100)
  assert.deepEqual(position.accept(response({ revision: 9 })), { revision: 9, events: [] })
  assert.equal(position.next, 100)
})

test('the revision of a response with events is not progress', () => {
  const position = new WatchPosition(1)
  const batch = position.accept(response({ revision: 50, events: [event(3, 'a')] }))
  assert.equal(batch?.revision, 3)
  assert.equal(position.next, 4)
})

test('progress in the middle of a revision is ignored', () => {
  const position = new WatchPosition(1)
  position.accept(response({ events: [event(1, 'a')], fragment: true }))
  assert.equal(position.accept(response({ revision: 7 })), undefined)
  assert.deepEqual(position.accept(response({ events: [event(1, 'b')] }))?.events, [event(1, 'a'), event(1, 'b')])
})
