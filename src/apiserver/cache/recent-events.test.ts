import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { cachedObjectSettings, LazyCachedObject } from './cached-object.js'
import type { ChangeEvent } from './object-store.js'
import { RecentEvents } from './recent-events.js'

const settings = cachedObjectSettings({ freeze: false })

const put = (key: string, revision: number, bytes = 10): ChangeEvent => ({
  type: 'put',
  object: new LazyCachedObject(key, revision, { json: Buffer.alloc(bytes), settings }),
  previous: undefined,
})
const revisions = (events: readonly ChangeEvent[]) => events.map(({ object }) => object.revision)
const any = () => true

describe('recent events', () => {
  test('are found by revision and key', () => {
    const recent = new RecentEvents(10)
    for (const revision of [12, 13, 13, 17]) recent.add(put(revision === 17 ? 'b' : 'a', revision))
    assert.deepEqual(revisions(recent.since(10, any)), [12, 13, 13, 17])
    assert.deepEqual(revisions(recent.since(12, any)), [13, 13, 17])
    assert.deepEqual(revisions(recent.since(12, ({ object }) => object.key === 'b')), [17])
    assert.deepEqual(revisions(recent.since(17, any)), [])
    assert.equal(
      recent.has(12, ({ object }) => object.key === 'b'),
      true,
    )
    assert.equal(
      recent.has(12, ({ object }) => object.key === 'c'),
      false,
    )
    assert.equal(recent.has(17, any), false)
    assert.equal(recent.completeSince, 10)
  })

  test('are complete only since the newest dropped event', () => {
    const recent = new RecentEvents(10, 3)
    for (const revision of [11, 12, 12, 12, 13]) recent.add(put('a', revision))
    assert.equal(recent.completeSince, 12)
    assert.deepEqual(revisions(recent.since(12, any)), [13])
  })

  test('are also bounded by their size', () => {
    const recent = new RecentEvents(0)
    for (let revision = 1; revision <= 20; revision++) recent.add(put('a', revision, 1024 * 1024))
    assert.equal(recent.completeSince, 13)
    assert.equal(recent.since(13, any).length, 7)
  })

  test('are found after many others were dropped', () => {
    const recent = new RecentEvents(0, 100)
    for (let revision = 1; revision <= 10_000; revision++) recent.add(put('a', revision))
    assert.equal(recent.completeSince, 9900)
    assert.deepEqual(revisions(recent.since(9997, any)), [9998, 9999, 10_000])
  })
})
