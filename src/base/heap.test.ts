import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Heap, type HeapItem } from './heap.js'

interface Numbered extends HeapItem {
  readonly value: number
}

const numbered = (value: number): Numbered => ({ value, heapIndex: -1 })
const emptyHeap = () => new Heap<Numbered>((one, other) => one.value < other.value)

test('a heap returns its items in order', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.integer()), (values) => {
      const heap = emptyHeap()
      for (const value of values) heap.push(numbered(value))
      assert.deepEqual(
        values.map(() => heap.pop()?.value),
        [...values].sort((one, other) => one - other),
      )
      assert.equal(heap.pop(), undefined)
    }),
  )
})

test('items are removed from the middle, and the rest stays in order', () => {
  const entries = fc.uniqueArray(fc.record({ value: fc.integer(), leaves: fc.boolean() }), {
    selector: (entry) => entry.value,
    minLength: 10,
    maxLength: 60,
  })
  fc.assert(
    fc.property(entries, (values) => {
      const heap = emptyHeap()
      const items = values.map(({ value, leaves }) => ({ item: numbered(value), leaves }))
      for (const { item } of items) heap.push(item)
      for (const { item, leaves } of items) if (leaves) assert.equal(heap.remove(item), true)
      const staying = values.filter(({ leaves }) => !leaves).map(({ value }) => value)
      assert.equal(heap.size, staying.length)
      assert.deepEqual(
        staying.map(() => heap.pop()?.value),
        staying.sort((one, other) => one - other),
      )
    }),
  )
})

test('the item that replaces a removed one may have to move up', () => {
  const heap = emptyHeap()
  const items = [0, 10, 1, 11, 12, 2, 3].map(numbered)
  for (const item of items) heap.push(item)
  heap.remove(items[3]!) // 3 takes its place, and belongs above 10
  assert.deepEqual(
    items.slice(1).map(() => heap.pop()?.value),
    [0, 1, 2, 3, 10, 12],
  )
})

test('a removed item can be added again, and removing it twice does nothing', () => {
  const heap = emptyHeap()
  const item = numbered(1)
  heap.push(item)
  assert.equal(heap.remove(item), true)
  assert.equal(heap.remove(item), false)
  heap.push(item)
  assert.equal(heap.peek(), item)
  heap.clear()
  assert.equal(heap.size, 0)
  heap.push(item)
  assert.equal(heap.pop(), item)
})

test('an item is in at most one heap', () => {
  const heap = emptyHeap()
  const other = emptyHeap()
  const item = numbered(1)
  heap.push(item)
  assert.throws(() => heap.push(item), /already in a heap/)
  assert.throws(() => other.push(item), /already in a heap/)
  assert.throws(() => other.remove(item), /in another heap/)
})
