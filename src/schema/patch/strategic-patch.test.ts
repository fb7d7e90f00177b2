import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '../declaration.js'
import { int32, list, map, rawExtension, ref, string } from '../fields.js'
import { schema } from '../schema.js'
import { Scheme } from '../scheme.js'
import { PatchError, type PatchFailure } from './patch-error.js'
import { applyStrategicPatch, combineStrategicPatches } from './strategic-patch.js'

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
      boats: list(10, ref('toy/v1.Ship')),
      sister: ref(11, 'toy/v1.Ship'),
      berths: map(12, ref('toy/v1.Rig')),
    },
  }),
  schema('toy/v1.Sailor', {
    required: { name: string(1) },
    optional: {
      rank: string(2),
      tools: list(3, ref('toy/v1.Sailor'), { mergeKey: 'name' }),
      age: int32(4),
    },
  }),
  schema('toy/v1.Rig', { optional: { type: string(1), sails: int32(2), masts: int32(3) } }),
  schema('toy/v1.Hold', { optional: { name: string(1), water: string(2), grain: string(3) } }),
]
const ship = new Scheme({ declarations, groups: [] }).type('toy/v1.Ship')

const apply = (object: JsonObject, patch: JsonObject) => applyStrategicPatch(ship, object, patch)

function refused(object: JsonObject, patch: JsonObject, [failure, message]: readonly [PatchFailure, string]): void {
  assert.throws(
    () => apply(object, patch),
    (error: unknown) => {
      assert.ok(error instanceof PatchError, String(error))
      assert.deepEqual({ failure: error.failure, message: error.message }, { failure, message })
      return true
    },
  )
}

const crew = (...names: readonly string[]) => names.map((name) => ({ name }))

test('members are set and added, null removes them, and objects are merged', () => {
  const object: JsonObject = { name: 'a', labels: { x: '1', y: '2' }, sister: { name: 'b' } }
  const patch: JsonObject = { name: null, labels: { x: null, z: '3' }, sister: { name: 'c' }, route: null }
  assert.deepEqual(apply(object, patch), { labels: { y: '2', z: '3' }, sister: { name: 'c' } })
})

test('lists are replaced unless they are declared as merging', () => {
  const object: JsonObject = { route: ['a', 'b'], boats: [{ name: 'x', flags: ['y'] }] }
  assert.deepEqual(apply(object, { route: ['c'], boats: [{ name: 'x' }] }), { route: ['c'], boats: [{ name: 'x' }] })
})

test('elements of a merging list are found by their merge key', () => {
  const object: JsonObject = {
    crew: [
      { name: 'a', rank: 'cook' },
      { name: 'b', age: 30 },
    ],
  }
  const patch: JsonObject = { crew: [{ name: 'b', rank: 'mate', age: null }] }
  assert.deepEqual(apply(object, patch), {
    crew: [
      { name: 'a', rank: 'cook' },
      { name: 'b', rank: 'mate' },
    ],
  })
})

test('merging lists nest', () => {
  const object: JsonObject = { crew: [{ name: 'a', tools: [{ name: 'saw', age: 1 }, { name: 'axe' }] }] }
  const patch: JsonObject = {
    crew: [
      {
        name: 'a',
        tools: [
          { name: 'saw', age: 2 },
          { name: 'axe', $patch: 'delete' },
        ],
      },
    ],
  }
  assert.deepEqual(apply(object, patch), { crew: [{ name: 'a', tools: [{ name: 'saw', age: 2 }] }] })
})

test('elements of the patch keep its order; other elements stay before those that followed them', () => {
  const order = (live: readonly string[], patch: readonly string[]) =>
    (apply({ crew: crew(...live) }, { crew: crew(...patch) }).crew as { name: string }[]).map(({ name }) => name)
  assert.deepEqual(order(['a', 'b'], ['c']), ['c', 'a', 'b'])
  assert.deepEqual(order(['a', 'b'], ['b', 'c']), ['a', 'b', 'c'])
  assert.deepEqual(order(['a', 'b'], ['c', 'b']), ['c', 'a', 'b'])
  assert.deepEqual(order(['a', 'b', 'c', 'd'], ['d', 'b']), ['a', 'c', 'd', 'b'])
  assert.deepEqual(order([], ['b', 'a']), ['b', 'a'])
})

test('lists of scalars are merged without duplicates', () => {
  assert.deepEqual(apply({ flags: ['a', 'b'] }, { flags: ['c'] }), { flags: ['c', 'a', 'b'] })
  assert.deepEqual(apply({ flags: ['a', 'b'] }, { flags: ['b', 'c', 'c'] }), { flags: ['a', 'b', 'c'] })
  assert.deepEqual(apply({ flags: ['a', 'b', 'a'] }, { flags: ['b'] }), { flags: ['a', 'b'] })
})

test('new values lose null members and objects with $patch', () => {
  const patch: JsonObject = {
    sister: { name: null, labels: { a: '1', b: null }, rig: { $patch: 'delete' } },
    labels: { $patch: 'replace', a: '1' },
  }
  assert.deepEqual(apply({}, patch), { sister: { labels: { a: '1' } } })
  const list: JsonObject = {
    crew: [
      { name: 'a', rank: null },
      { name: 'b', $patch: 'delete' },
    ],
  }
  assert.deepEqual(apply({}, list), { crew: [{ name: 'a' }] })
})

test('values of another type are replaced', () => {
  assert.deepEqual(apply({ name: 'a', route: ['x'] }, { name: { a: null, b: 1 }, route: 'none' }), {
    name: { b: 1 },
    route: 'none',
  })
})

test('$patch: replace on an object replaces it', () => {
  assert.deepEqual(apply({ labels: { a: '1' } }, { labels: { $patch: 'replace', b: '2' } }), { labels: { b: '2' } })
  assert.deepEqual(apply({ name: 'a' }, { $patch: 'replace', labels: {} }), { labels: {} })
})

test('$patch: delete on an object empties it', () => {
  assert.deepEqual(apply({ labels: { a: '1' } }, { labels: { $patch: 'delete', b: '2' } }), { labels: {} })
})

test('$patch: delete removes an element, and ignores an absent one', () => {
  const object: JsonObject = { crew: crew('a', 'b', 'b') }
  const patch: JsonObject = { crew: [{ name: 'b', $patch: 'delete' }, { name: 'x', $patch: 'delete' }, { name: 'c' }] }
  assert.deepEqual(apply(object, patch), { crew: crew('c', 'a') })
})

test('$patch: replace as an element replaces the list with the other elements', () => {
  const object: JsonObject = { crew: crew('a', 'b') }
  assert.deepEqual(apply(object, { crew: [{ name: 'c' }, { $patch: 'replace' }, { name: 'b', $patch: 'delete' }] }), {
    crew: crew('c'),
  })
  assert.deepEqual(apply(object, { crew: [{ $patch: 'replace' }] }), { crew: [] })
})

test('$patch: merge is rejected for objects and elements', () => {
  const object: JsonObject = { labels: { a: '1' }, crew: crew('a') }
  refused(object, { labels: { $patch: 'merge', b: '2' } }, [
    'unmergeable',
    'unknown patch type: merge in map: map[$patch:merge b:2]',
  ])
  refused(object, { crew: [{ name: 'a', $patch: 'merge' }] }, [
    'unmergeable',
    'merging lists cannot yet be specified in the patch',
  ])
})

test('an unknown $patch is rejected', () => {
  const object: JsonObject = { labels: { a: '1' }, crew: crew('a') }
  refused(object, { labels: { $patch: 5 } }, ['unmergeable', 'unknown patch type: %!s(int64=5) in map: map[$patch:5]'])
  refused(object, { crew: [{ name: 'a', $patch: 'x' }] }, [
    'unmergeable',
    'unknown patch type: x in map: map[$patch:x name:a]',
  ])
})

test('$retainKeys removes the members that it does not name', () => {
  const object: JsonObject = { rig: { type: 'lateen', sails: 2, masts: 1 } }
  assert.deepEqual(apply(object, { rig: { $retainKeys: ['type'], type: 'crab claw' } }), { rig: { type: 'crab claw' } })
  assert.deepEqual(apply(object, { rig: { $retainKeys: ['sails', 'masts'], masts: 2 } }), {
    rig: { sails: 2, masts: 2 },
  })
  const holds: JsonObject = { holds: [{ name: 'a', water: 'full' }] }
  const patch: JsonObject = { holds: [{ $retainKeys: ['name', 'grain'], name: 'a', grain: 'some', water: null }] }
  assert.deepEqual(apply(holds, patch), { holds: [{ name: 'a', grain: 'some' }] })
})

test('$retainKeys works on any object', () => {
  assert.deepEqual(apply({ labels: { a: '1', b: '2' } }, { labels: { $retainKeys: ['b'] } }), { labels: { b: '2' } })
})

test('a patch that sets a member missing in its $retainKeys is malformed', () => {
  const malformed = ['malformed', 'invalid patch format of retainKeys'] as const
  refused({ rig: { type: 'x' } }, { rig: { $retainKeys: ['type'], sails: 1 } }, malformed)
  refused({ rig: { type: 'x' } }, { rig: { $retainKeys: 'type' } }, malformed)
})

test('$deleteFromPrimitiveList removes elements from any list of scalars', () => {
  const object: JsonObject = { flags: ['a', 'b', 'c'], route: ['x', 'y', 'x'] }
  const patch: JsonObject = { '$deleteFromPrimitiveList/flags': ['b', 'z'], '$deleteFromPrimitiveList/route': ['x'] }
  assert.deepEqual(apply(object, patch), { flags: ['a', 'c'], route: ['y'] })
  assert.deepEqual(apply(object, { '$deleteFromPrimitiveList/flags': ['a'], flags: ['d'] }).flags, ['d', 'b', 'c'])
  assert.deepEqual(apply({}, { '$deleteFromPrimitiveList/flags': ['a'] }), {})
  assert.deepEqual(apply({ flags: ['a'] }, { '$deleteFromPrimitiveList/flags': null }), {})
  refused(object, { $deleteFromPrimitiveList: ['b'] }, ['malformed', 'invalid patch format of primitive list'])
})

test('$setElementOrder sets the order, and other elements keep their positions between', () => {
  const order = (live: readonly string[], wanted: readonly string[]) =>
    (apply({ crew: crew(...live) }, { '$setElementOrder/crew': crew(...wanted) }).crew as { name: string }[]).map(
      ({ name }) => name,
    )
  assert.deepEqual(order(['a', 'b', 'c'], ['c', 'a', 'b']), ['c', 'a', 'b'])
  assert.deepEqual(order(['a', 'x', 'b'], ['b', 'a']), ['x', 'b', 'a'])
  assert.deepEqual(order(['x', 'a', 'y', 'b', 'z'], ['a', 'b']), ['x', 'a', 'y', 'b', 'z'])
  assert.deepEqual(order(['a', 'b'], ['b', 'unknown', 'a']), ['b', 'a'])
})

test('$setElementOrder is combined with changes to the list', () => {
  const object: JsonObject = { crew: [{ name: 'a' }, { name: 'x' }, { name: 'b' }] }
  const patch: JsonObject = {
    '$setElementOrder/crew': crew('n', 'b', 'a'),
    crew: [{ name: 'n' }, { name: 'a', rank: 'cook' }, { name: 'x', $patch: 'delete' }],
  }
  assert.deepEqual(apply(object, patch), { crew: [{ name: 'n' }, { name: 'b' }, { name: 'a', rank: 'cook' }] })
  const added: JsonObject = {
    '$setElementOrder/crew': crew('b', 'a'),
    crew: [{ name: 'b', $patch: 'delete' }, { name: 'a' }],
  }
  assert.deepEqual(apply({}, added), { crew: crew('a') })
  assert.deepEqual(apply({}, { '$setElementOrder/crew': crew('a') }), {})
})

test('$setElementOrder orders scalars before deletions', () => {
  const patch: JsonObject = {
    '$setElementOrder/flags': ['c', 'a'],
    '$deleteFromPrimitiveList/flags': ['b'],
    flags: ['c'],
  }
  assert.deepEqual(apply({ flags: ['a', 'b', 's'] }, patch), { flags: ['c', 'a', 's'] })
})

test('an empty $setElementOrder reverses the list, as upstream does', () => {
  assert.deepEqual(apply({}, { '$setElementOrder/crew': [], crew: crew('a', 'b') }), { crew: crew('b', 'a') })
  const patch: JsonObject = { '$setElementOrder/crew': [], crew: crew('a', 'b') }
  assert.deepEqual(apply({ crew: crew('x', 'y') }, patch), { crew: crew('x', 'y', 'b', 'a') })
})

test('the order of the patch must agree with its $setElementOrder', () => {
  const patch: JsonObject = { '$setElementOrder/crew': crew('a', 'b'), crew: crew('b', 'a') }
  const message =
    "The order in patch list:\n[map[name:b] map[name:a]]\n doesn't match $setElementOrder list:\n[map[name:a] map[name:b]]\n"
  refused({ crew: crew('a') }, patch, ['unmergeable', message])
})

test('a malformed $setElementOrder is rejected', () => {
  const object: JsonObject = { crew: crew('a'), name: 'n' }
  refused(object, { $setElementOrder: [] }, ['malformed', 'invalid patch format of setElementOrder list'])
  refused(object, { '$setElementOrder/crew': 'a' }, ['unmergeable', 'expected a []interface {}, but received a string'])
  refused(object, { '$setElementOrder/crew': ['a'] }, [
    'unmergeable',
    'expected a map[string]interface {}, but received a string',
  ])
  refused(object, { '$setElementOrder/name': ['a'] }, [
    'unmergeable',
    'expected a []interface {}, but received a string',
  ])
  refused({}, { '$setElementOrder/name': ['a'] }, ['unmergeable', 'expected slice or array type, but got: struct'])
  refused({}, { '$setElementOrder/x': [] }, [
    'unmergeable',
    'unable to find api field in struct Ship for the json field "x"',
  ])
})

test('an object that is declared as replaced is replaced', () => {
  assert.deepEqual(apply({ course: { type: 'a', sails: 1 } }, { course: { type: 'b' } }), { course: { type: 'b' } })
})

test('objects in a map are merged', () => {
  const object: JsonObject = { berths: { a: { type: 'x', sails: 1 } } }
  assert.deepEqual(apply(object, { berths: { a: { sails: 2 }, b: { masts: 1 } } }), {
    berths: { a: { type: 'x', sails: 2 }, b: { masts: 1 } },
  })
})

test('opaque values are merged one level deep only', () => {
  const object: JsonObject = { cargo: { rice: 1, spice: { pepper: 2 } } }
  assert.deepEqual(apply(object, { cargo: { rice: 5, tea: { green: 1 } } }).cargo, {
    rice: 5,
    spice: { pepper: 2 },
    tea: { green: 1 },
  })
  const message = 'unable to find api field in struct RawExtension for the json field "spice"'
  refused(object, { cargo: { spice: { salt: 1 } } }, ['unmergeable', message])
})

test('elements without their merge key are rejected at any depth', () => {
  const message = 'map: map[rank:cook] does not contain declared merge key: name'
  refused({ crew: crew('a') }, { crew: [{ rank: 'cook' }] }, ['unmergeable', message])
  refused({ crew: [{ rank: 'cook' }] }, { crew: crew('a') }, ['unmergeable', message])
  refused({ crew: crew('a') }, { crew: [{ $patch: 'delete' }] }, [
    'unmergeable',
    'map: map[$patch:delete] does not contain declared merge key: name',
  ])
})

test('lists of mixed elements and lists of lists are rejected', () => {
  refused({ flags: ['a'] }, { flags: [1] }, ['unmergeable', 'list element types are not identical: [[a] [1]]'])
  refused({ flags: ['a'] }, { flags: [null] }, ['unmergeable', 'list element types are not identical: [[a] [<nil>]]'])
  refused({ flags: [['a']] }, { flags: [['b']] }, ['inapplicable', 'lists of lists are not supported'])
  refused({ flags: [] }, { flags: [{ a: 1 }] }, ['unmergeable', 'cannot merge lists without merge key for string'])
  refused({ crew: [] }, { crew: ['a'] }, ['unmergeable', 'expected a map[string]interface {}, but received a string'])
})

test('unchanged parts stay the same objects, and input is never modified', () => {
  const object = freeze<JsonObject>({
    name: 'a',
    labels: { x: '1' },
    crew: [{ name: 'a', rank: 'cook' }],
    flags: ['f'],
    sister: { name: 'b' },
  })
  const noChange = freeze<JsonObject>({
    name: 'a',
    labels: { x: '1', gone: null },
    '$setElementOrder/crew': [{ name: 'a' }],
    crew: [
      { name: 'a', rank: 'cook' },
      { name: 'x', $patch: 'delete' },
    ],
    flags: ['f'],
    '$deleteFromPrimitiveList/flags': ['g'],
  })
  assert.equal(apply(object, noChange), object)
  const changed = apply(object, freeze({ sister: { name: 'c' } }))
  assert.equal(changed.crew, object.crew)
  assert.equal(changed.labels, object.labels)
})

function freeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(freeze)
  return value
}

test('__proto__ is a key like any other', () => {
  const patch = JSON.parse('{"labels":{"__proto__":"x","constructor":"y"}}') as JsonObject
  assert.equal(
    JSON.stringify(apply({ labels: { a: '1' } }, patch)),
    '{"labels":{"a":"1","__proto__":"x","constructor":"y"}}',
  )
  const removal = JSON.parse('{"labels":{"__proto__":null}}') as JsonObject
  assert.equal(JSON.stringify(apply(patch, removal)), '{"labels":{"constructor":"y"}}')
})

test('a patch nested too deep is rejected, and the deepest accepted one does not overflow the stack', () => {
  const nested = (depth: number) => JSON.parse(`${'{"sister":'.repeat(depth)}{}${'}'.repeat(depth)}`) as JsonObject
  assert.deepEqual(apply(nested(990), nested(990)), nested(990))
  assert.deepEqual(apply({}, nested(990)), nested(990))
  assert.throws(() => apply({}, nested(100_000)), { name: 'PatchError', message: 'exceeded max depth' })
  const lists = (depth: number) =>
    JSON.parse(
      `${'{"crew":[{"name":"a","tools":['.repeat(1)}${'{"name":"a","tools":['.repeat(depth)}${']}'.repeat(depth)}]}]}`,
    ) as JsonObject
  assert.deepEqual(apply(lists(490), lists(490)), lists(490))
})

test('combining two patches keeps the directives of both', () => {
  const deletions: JsonObject = {
    labels: { gone: null },
    crew: [{ name: 'x', $patch: 'delete' }],
    '$setElementOrder/crew': crew('n', 'a'),
    '$deleteFromPrimitiveList/flags': ['f'],
  }
  const changes: JsonObject = {
    labels: { fresh: '1' },
    crew: [{ name: 'n' }],
    '$setElementOrder/crew': crew('n', 'a'),
    rig: { $retainKeys: ['type'], type: 'x' },
    flags: ['g'],
  }
  assert.deepEqual(combineStrategicPatches(ship, deletions, changes), {
    labels: { gone: null, fresh: '1' },
    crew: [{ name: 'n' }, { name: 'x', $patch: 'delete' }],
    '$setElementOrder/crew': crew('n', 'a'),
    '$deleteFromPrimitiveList/flags': ['f'],
    rig: { $retainKeys: ['type'], type: 'x' },
    flags: ['g'],
  })
})

test('two patches with different orders or retained keys cannot be combined', () => {
  const combine = (first: JsonObject, second: JsonObject) => () => combineStrategicPatches(ship, first, second)
  const orders = [{ '$setElementOrder/crew': crew('a', 'b') }, { '$setElementOrder/crew': crew('b', 'a') }] as const
  assert.throws(combine(...orders), { message: 'invalid patch format of setElementOrder list' })
  const rigs = [{ rig: { $retainKeys: ['type'] } }, { rig: { $retainKeys: ['sails'] } }] as const
  assert.throws(combine(...rigs), /^PatchError: \[type\] and \[sails\] are not deep equal/)
})
