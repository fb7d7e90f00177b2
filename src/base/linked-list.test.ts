import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LinkedList } from './linked-list.js'

test('items are in the order in which they were added', () => {
  const list = new LinkedList<string>()
  assert.equal(list.first, undefined)
  for (const value of ['a', 'b', 'c']) list.add(value)
  assert.deepEqual(list.values(), ['a', 'b', 'c'])
  assert.equal(list.first, 'a')
  assert.equal(
    list.find((value) => value > 'a'),
    'b',
  )
  assert.equal(
    list.find((value) => value > 'c'),
    undefined,
  )
})

test('an item can be removed from any position, and only once', () => {
  for (const leaving of [0, 1, 2]) {
    const list = new LinkedList<number>()
    const links = [0, 1, 2].map((value) => list.add(value))
    list.remove(links[leaving]!)
    list.remove(links[leaving]!)
    assert.deepEqual(
      list.values(),
      [0, 1, 2].filter((value) => value !== leaving),
    )
    list.add(3)
    assert.equal(list.values().at(-1), 3)
  }
})

test('a list can be used again after its last item was removed', () => {
  const list = new LinkedList<number>()
  const only = list.add(1)
  list.remove(only)
  list.remove(only)
  assert.equal(list.first, undefined)
  list.add(2)
  assert.deepEqual(list.values(), [2])
})

test('a removed link refers to nothing', () => {
  const list = new LinkedList<number>()
  const [one, two, three] = [list.add(1), list.add(2), list.add(3)]
  for (const link of [two, one, three]) {
    list.remove(link)
    assert.deepEqual([link.before, link.after], [undefined, undefined])
  }
})
