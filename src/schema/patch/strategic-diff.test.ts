import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '../declaration.js'
import { list, map, rawExtension, ref, string } from '../fields.js'
import { schema } from '../schema.js'
import { Scheme } from '../scheme.js'
import { diffStrategicPatch } from './strategic-diff.js'
import { applyStrategicPatch } from './strategic-patch.js'
import { diffStrategicPatchThreeWay, PatchConflict, type ThreeWay } from './strategic-three-way.js'

const declarations = [
  schema('toy/v1.Ship', {
    optional: {
      name: string(1),
      labels: map(2, string),
      crew: list(3, ref('toy/v1.Sailor'), { mergeKey: 'name' }),
      flags: list(4, string, { patch: 'merge' }),
      route: list(5, string),
      rig: ref(6, 'toy/v1.Rig', { patch: 'retainKeys' }),
      holds: list(7, ref('toy/v1.Hold'), { mergeKey: 'name', patch: 'merge,retainKeys' }),
      course: ref(8, 'toy/v1.Rig', { patch: 'replace' }),
      cargo: rawExtension(9),
    },
  }),
  schema('toy/v1.Sailor', { required: { name: string(1) }, optional: { rank: string(2), port: string(3) } }),
  schema('toy/v1.Rig', { optional: { type: string(1), sails: string(2) } }),
  schema('toy/v1.Hold', { optional: { name: string(1), water: string(2), grain: string(3) } }),
]
const ship = new Scheme({ declarations, groups: [] }).type('toy/v1.Ship')
const crew = (...names: readonly string[]) => names.map((name) => ({ name }))

/** Asserts that the diff is `patch`, and that applying it to `original` gives `modified`. */
function differs(original: JsonObject, modified: JsonObject, patch: JsonObject): void {
  assert.deepEqual(diffStrategicPatch(ship, original, modified), patch)
  assert.deepEqual(applyStrategicPatch(ship, original, patch), modified)
}

test('equal objects have an empty patch, with merging lists and replaced objects as well', () => {
  const object = { flags: ['b', 'a'], crew: crew('b', 'a'), course: { type: 'x' }, cargo: { a: { b: 1 } } }
  differs(object, structuredClone(object), {})
})

test('new, changed and removed members', () => {
  const original: JsonObject = { name: 'a', labels: { x: '1', y: '2' }, route: ['a'] }
  differs(original, { labels: { x: '5' }, route: ['b'] }, { name: null, labels: { x: '5', y: null }, route: ['b'] })
})

test('new, changed and removed elements, and their order', () => {
  const original: JsonObject = { crew: [{ name: 'a', rank: '1' }, { name: 'b', rank: '2' }, { name: 'c' }] }
  const modified: JsonObject = { crew: [{ name: 'd' }, { name: 'b', rank: '3' }, { name: 'c' }] }
  differs(original, modified, {
    '$setElementOrder/crew': crew('d', 'b', 'c'),
    crew: [{ name: 'd' }, { name: 'b', rank: '3' }, { name: 'a', $patch: 'delete' }],
  })
})

test('a change of the order only', () => {
  differs({ crew: crew('a', 'b') }, { crew: crew('b', 'a') }, { '$setElementOrder/crew': crew('b', 'a') })
  differs({ flags: ['b', 'a'] }, { flags: ['a', 'b'] }, { '$setElementOrder/flags': ['a', 'b'] })
})

test('new and removed scalars', () => {
  differs(
    { flags: ['a', 'b'] },
    { flags: ['c', 'a'] },
    {
      '$setElementOrder/flags': ['c', 'a'],
      '$deleteFromPrimitiveList/flags': ['b'],
      flags: ['c'],
    },
  )
})

test('new lists and empty lists need no order', () => {
  differs({}, { crew: crew('b', 'a'), flags: ['x'] }, { crew: crew('b', 'a'), flags: ['x'] })
  differs({ crew: crew('a') }, { crew: [] }, { crew: [{ name: 'a', $patch: 'delete' }] })
})

test('every change of an object that is declared so has $retainKeys', () => {
  const original: JsonObject = { rig: { type: 'a', sails: '2' }, holds: [{ name: 'h', water: '1' }] }
  const modified = { rig: { type: 'b' }, holds: [{ name: 'h', grain: '1' }] }
  differs(original, modified, {
    rig: { $retainKeys: ['type'], type: 'b', sails: null },
    '$setElementOrder/holds': crew('h'),
    holds: [{ $retainKeys: ['grain', 'name'], name: 'h', grain: '1', water: null }],
  })
})

test('an object that is declared as replaced is sent whole, an opaque one with $patch: replace', () => {
  const original: JsonObject = { course: { type: 'a', sails: '1' }, cargo: { a: { b: 1 }, c: 2 } }
  const modified = { course: { type: 'a' }, cargo: { a: { b: 2 } } }
  differs(original, modified, { course: { type: 'a' }, cargo: { $patch: 'replace', a: { b: 2 } } })
})

test('the compared aspects can be limited', () => {
  const original: JsonObject = { name: 'a', crew: crew('a', 'b'), flags: ['a'] }
  const modified = { crew: crew('c', 'a'), flags: ['b'] }
  const diff = (options: Parameters<typeof diffStrategicPatch>[3]) =>
    diffStrategicPatch(ship, original, modified, options)
  assert.deepEqual(diff({ deletions: false }), {
    '$setElementOrder/crew': crew('c', 'a'),
    crew: crew('c'),
    '$setElementOrder/flags': ['b'],
    flags: ['b'],
  })
  assert.deepEqual(diff({ changes: false }), {
    name: null,
    '$setElementOrder/crew': crew('c', 'a'),
    crew: [{ name: 'b', $patch: 'delete' }],
    '$setElementOrder/flags': ['b'],
    '$deleteFromPrimitiveList/flags': ['a'],
  })
  assert.deepEqual(diff({ order: false }), {
    name: null,
    crew: [{ name: 'c' }, { name: 'b', $patch: 'delete' }],
    flags: ['b'],
    '$deleteFromPrimitiveList/flags': ['a'],
  })
})

test('elements with the same key are paired in order', () => {
  const original: JsonObject = {
    crew: [
      { name: 'a', port: 'TCP' },
      { name: 'a', port: 'UDP' },
    ],
  }
  const modified = {
    crew: [
      { name: 'a', port: 'TCP' },
      { name: 'a', port: 'SCTP' },
    ],
  }
  assert.deepEqual(diffStrategicPatch(ship, original, modified).crew, [{ name: 'a', port: 'SCTP' }])
})

test('an element without its merge key cannot be compared', () => {
  const compare = () => diffStrategicPatch(ship, { crew: [{ rank: 'x' }] }, { crew: crew('a') })
  assert.throws(compare, { message: 'map: map[rank:x] does not contain declared merge key: name' })
})

const states: ThreeWay = {
  original: {
    labels: { mine: '1', dropped: '1' },
    crew: [{ name: 'a', rank: '1' }, { name: 'dropped' }],
    flags: ['f', 'dropped'],
  },
  modified: { labels: { mine: '2' }, crew: [{ name: 'new' }, { name: 'a', rank: '2' }], flags: ['f', 'g'] },
  current: {
    labels: { mine: '1', dropped: '1', theirs: '1' },
    crew: [{ name: 'a', rank: '1', port: 'theirs' }, { name: 'theirs' }, { name: 'dropped' }],
    flags: ['f', 'dropped', 'theirs'],
  },
}

test('three-way: applied values win, values no longer applied are removed, other values stay', () => {
  const patch = diffStrategicPatchThreeWay(ship, states)
  assert.deepEqual(patch, {
    labels: { mine: '2', dropped: null },
    '$setElementOrder/crew': crew('new', 'a'),
    crew: [{ name: 'new' }, { name: 'a', rank: '2' }, { name: 'dropped', $patch: 'delete' }],
    '$setElementOrder/flags': ['f', 'g'],
    '$deleteFromPrimitiveList/flags': ['dropped'],
    flags: ['g'],
  })
  assert.deepEqual(applyStrategicPatch(ship, states.current, patch), {
    labels: { mine: '2', theirs: '1' },
    crew: [{ name: 'new' }, { name: 'a', rank: '2', port: 'theirs' }, { name: 'theirs' }],
    flags: ['f', 'g', 'theirs'],
  })
})

test('without overwrite, a field that another client changed to another value is a conflict', () => {
  const { original, modified, current } = states
  const diff = (drifted: JsonObject) => () =>
    diffStrategicPatchThreeWay(ship, { original, modified, current: drifted }, { overwrite: false })
  assert.deepEqual(diff(current)(), diffStrategicPatchThreeWay(ship, states))
  const drifts: readonly JsonObject[] = [
    { labels: { mine: '3' } },
    { labels: { dropped: '3' } },
    { crew: [{ name: 'a', rank: '3' }] },
    {
      crew: [
        { name: 'a', rank: '1' },
        { name: 'dropped', rank: 'more' },
      ],
    },
  ]
  for (const drift of drifts) assert.throws(diff({ ...current, ...drift }), PatchConflict, JSON.stringify(drift))
})

test('a conflict contains both changes', () => {
  const conflict = { original: { name: 'a' }, modified: { name: 'b' }, current: { name: 'c' } }
  assert.throws(() => diffStrategicPatchThreeWay(ship, conflict, { overwrite: false }), {
    failure: 'conflict',
    patch: { name: 'b' },
    changes: { name: 'c' },
    message: 'patch:\n{"name":"b"}\nconflicts with changes made from original to current:\n{"name":"c"}\n',
  })
})

test('the same change by both sides is not a conflict', () => {
  const agreed = { original: { name: 'a' }, modified: { name: 'b' }, current: { name: 'b' } }
  assert.deepEqual(diffStrategicPatchThreeWay(ship, agreed, { overwrite: false }), {})
})
