import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { JsonObject, JsonValue } from '../declaration.js'
import { isList, isObject, sameJson } from '../json-value.js'
import { applyConfiguration } from './apply.js'
import { ApplyConflictError } from './errors.js'
import { type FieldSet, namePath, setOf } from './field-set/field-set.js'
import { excluding } from './field-set/filter.js'
import { difference, intersection } from './field-set/set-algebra.js'
import { managedFieldsOf, readManagers, withManagedFields } from './managed-fields/entries.js'
import { shapeOf } from './shape/shape-of.js'
import { configuredFields } from './shape/value-fields.js'
import { applyTarget } from './target.js'
import { distinctToy, frozenDeep, shown, toyType, typedToy } from './toy-kind.test.kit.js'
import { updateManagedFields } from './update.js'
import { sameInAllVersions, singleVersion } from './versions.js'

const target = applyTarget(toyType)
const shape = shapeOf(toyType)
const time = (second: number): string => `2024-05-06T07:08:${String(second).padStart(2, '0')}Z`

const toy = (fields: JsonObject): JsonObject => ({ apiVersion: 'toy/v1', kind: 'Toy', ...fields })

/** The options of an apply by `manager` at a given second. */
const apply = (manager: string, second: number, force = false) => ({ manager, force, time: time(second) })

function ownedBy(object: JsonObject, manager: string): FieldSet | undefined {
  const owners = [...readManagers(managedFieldsOf(object) ?? []).values()]
  return owners.find((owner) => owner.manager === manager)?.fields
}

/** Removes null and empty values, as decoding does, and sorts lists that have no order. */
function decoded(value: JsonValue): JsonValue | undefined {
  if (isList(value)) {
    const items = value.map((item) => decoded(item) ?? null)
    return items.length === 0 ? undefined : items.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
  }
  if (!isObject(value)) return value ?? undefined
  const members = Object.entries(value).map(([key, member]) => [key, decoded(member)] as const)
  const left = members.filter(([, member]) => member !== undefined)
  return left.length === 0 ? undefined : (Object.fromEntries(left) as JsonObject)
}

const plain = (object: JsonObject): JsonValue | undefined => decoded(withManagedFields(object, undefined))

test('an apply removes items and keys that it set before, and keeps those of other managers', () => {
  const first = applyConfiguration(target, {
    configuration: toy({ tags: ['a', 'b'], options: { a: '1', b: '2' }, ports: [{ port: 1, name: 'x' }, { port: 2 }] }),
    ...apply('one', 1),
  })
  const second = applyConfiguration(target, {
    live: first,
    configuration: toy({ tags: ['b'], options: { b: '2' }, ports: [{ port: 1, weights: { w: 1 } }] }),
    ...apply('two', 2),
  })
  const third = applyConfiguration(target, { live: second, configuration: toy({ title: 't' }), ...apply('one', 3) })
  assert.deepEqual(plain(third), {
    apiVersion: 'toy/v1',
    kind: 'Toy',
    title: 't',
    tags: ['b'],
    options: { b: '2' },
    ports: [{ port: 1, weights: { w: 1 } }],
  })
  assert.deepEqual(shown(ownedBy(third, 'one')!), ['.title'])
  const last = applyConfiguration(target, { live: third, configuration: toy({}), ...apply('two', 4) })
  assert.deepEqual(plain(last), { apiVersion: 'toy/v1', kind: 'Toy', title: 't' })
})

test('defaulted fields have no owner, and are removed with their item', () => {
  const given = toy({ ports: [{ port: 1 }] })
  const live = {
    ...applyConfiguration(target, { configuration: given, ...apply('one', 1) }),
    ports: [{ port: 1, protocol: 'TCP', name: 'd' }],
  }
  const same = applyConfiguration(target, { live, configuration: given, ...apply('one', 2) })
  assert.deepEqual(same.ports, live.ports)
  const without = applyConfiguration(target, { live, configuration: toy({}), ...apply('one', 3) })
  assert.equal(without.ports ?? null, null)
})

test('managers share fields of equal value, and a field stays until its last owner gives it up', () => {
  const configuration = toy({ title: 't' })
  const one = applyConfiguration(target, { configuration, ...apply('one', 1) })
  const two = applyConfiguration(target, { live: one, configuration, ...apply('two', 2) })
  assert.deepEqual(readManagers(managedFieldsOf(two)!).size, 2)
  const less = applyConfiguration(target, { live: two, configuration: toy({}), ...apply('one', 3) })
  assert.equal(less.title, 't')
  const none = applyConfiguration(target, { live: less, configuration: toy({}), ...apply('two', 4) })
  assert.equal(none.title, undefined)
  assert.equal(managedFieldsOf(none), undefined)
})

test('atomic values conflict as a whole', () => {
  const configuration = toy({ frozen: { a: '1' }, pair: { left: 'l' }, raw: { a: 1 } })
  const live = applyConfiguration(target, { configuration, ...apply('one', 1) })
  const other = toy({ frozen: { b: '2' }, pair: { left: 'l', right: 'r' }, raw: { a: 1, b: 2 } })
  assert.throws(() => applyConfiguration(target, { live, configuration: other, ...apply('two', 2) }), {
    message: 'Apply failed with 3 conflicts: conflicts with "one":\n- .frozen\n- .pair\n- .raw',
  })
  const forced = applyConfiguration(target, { live, configuration: other, ...apply('two', 2, true) })
  assert.deepEqual(forced.frozen, { b: '2' })
  assert.equal(ownedBy(forced, 'one'), undefined)
})

test('an apply fails if the live object has items without an identity', () => {
  const live = toy({ metadata: { name: 'x' }, tags: ['a', 'a'], named: [{ b: 1 }] })
  assert.throws(() => applyConfiguration(target, { live, configuration: toy({ title: 't' }), ...apply('one', 1) }), {
    message:
      'failed to create typed live object (/x; toy/v1, Kind=Toy): .named: element 0: ' +
      `associative list with keys has an element that omits all key fields ["a"] (and doesn't have default values for any key fields)`,
  })
})

test('duplicate items of the live object do not change until they are applied', () => {
  const live = toy({ tags: ['a', 'a', 'b'], ports: [{ port: 1, name: 'x' }, { port: 1, name: 'y' }, { port: 2 }] })
  const kept = applyConfiguration(target, { live, configuration: toy({ title: 't' }), ...apply('one', 1) })
  assert.deepEqual([kept.tags, kept.ports], [live.tags, live.ports])
  const configuration = toy({ tags: ['a'], ports: [{ port: 1, name: 'z' }] })
  const applied = applyConfiguration(target, { live, configuration, ...apply('one', 1, true) })
  assert.deepEqual(
    [applied.tags, applied.ports],
    [
      ['a', 'b'],
      [{ port: 1, name: 'z' }, { port: 2 }],
    ],
  )
})

test('a manager that writes through a subresource is a different manager', () => {
  const status = applyTarget(toyType, { subresource: 'status', versions: singleVersion(excluding(namePath('title'))) })
  const live = applyConfiguration(target, { configuration: toy({ title: 't' }), ...apply('one', 1) })
  const both = applyConfiguration(status, { live, configuration: toy({ title: 'x', at: 'now' }), ...apply('one', 2) })
  assert.deepEqual(
    managedFieldsOf(both)!.map((entry) => [(entry as JsonObject).subresource ?? '', (entry as JsonObject).fieldsV1]),
    [
      ['', { 'f:title': {} }],
      ['status', { 'f:at': {} }],
    ],
  )
})

test('an applier of another version is the same manager; fields of removed versions have no owners', () => {
  const versions = sameInAllVersions(
    new Map([
      ['toy/v1', shape],
      ['toy/v0', shape],
    ]),
  )
  const now = applyTarget(toyType, { versions })
  const then = { ...now, apiVersion: 'toy/v0' }
  const old = (fields: JsonObject): JsonObject => ({ apiVersion: 'toy/v0', kind: 'Toy', ...fields })
  const first = applyConfiguration(then, { configuration: old({ title: 't', tags: ['a'] }), ...apply('one', 1) })
  const second = applyConfiguration(now, {
    live: { ...first, apiVersion: 'toy/v1' },
    configuration: toy({ title: 't' }),
    ...apply('one', 2),
  })
  assert.deepEqual(plain(second), { apiVersion: 'toy/v1', kind: 'Toy', title: 't' })
  assert.deepEqual(
    (managedFieldsOf(second) as JsonObject[]).map(({ apiVersion }) => apiVersion),
    ['toy/v1'],
  )
  const gone = applyConfiguration(target, { live: first, configuration: toy({ title: 'u' }), ...apply('two', 2) })
  assert.deepEqual(
    (managedFieldsOf(gone) as JsonObject[]).map(({ manager }) => manager),
    ['two'],
  )
})

test('a second identical apply changes nothing, not even a time', () => {
  fc.assert(
    fc.property(typedToy, distinctToy, (object, configuration) => {
      const live = frozenDeep(updateManagedFields(target, { next: object, manager: 'maker', time: time(1) }))
      const once = frozenDeep(applyConfiguration(target, { live, configuration, ...apply('one', 2, true) }))
      const twice = applyConfiguration(target, { live: once, configuration, ...apply('one', 3, true) })
      assert.ok(sameJson(twice, once))
    }),
  )
})

test('a forced apply sets all configured values, and the applier owns their fields, alone or shared', () => {
  fc.assert(
    fc.property(typedToy, typedToy, (object, configuration) => {
      const live = updateManagedFields(target, { next: object, manager: 'maker', time: time(1) })
      const forced = applyConfiguration(target, { live, configuration, ...apply('one', 2, true) })
      const again = applyConfiguration(target, { live: forced, configuration, ...apply('one', 3) })
      assert.ok(sameJson(again, forced), 'no conflict is left')
      const owned = ownedBy(forced, 'one') ?? setOf()
      const configured = difference(configuredFields(shape, configuration), setOf(['f:apiVersion'], ['f:kind']))
      assert.deepEqual(shown(owned), shown(configured))
    }),
  )
})

test('an applier that gives up everything does not change fields of other managers', () => {
  fc.assert(
    fc.property(typedToy, typedToy, (object, configuration) => {
      const live = updateManagedFields(target, { next: object, manager: 'maker', time: time(1) })
      const applied = applyConfiguration(target, { live, configuration, ...apply('one', 2, true) })
      const kept = ownedBy(applied, 'maker') ?? setOf()
      const given = applyConfiguration(target, { live: applied, configuration: toy({}), ...apply('one', 3) })
      assert.equal(ownedBy(given, 'one'), undefined)
      assert.deepEqual(shown(ownedBy(given, 'maker') ?? setOf()), shown(kept))
      const before = configuredFields(shape, applied)
      const gone = difference(before, configuredFields(shape, given))
      assert.deepEqual(shown(intersection(gone, kept)), [])
    }),
  )
})

test('the order of two appliers without common fields does not matter', () => {
  fc.assert(
    fc.property(typedToy, fc.array(fc.boolean(), { minLength: 60, maxLength: 60 }), (object, choices) => {
      const [a, b] = divided(object, choices)
      const after = (first: [string, JsonObject], second: [string, JsonObject]): JsonObject => {
        const live = applyConfiguration(target, { configuration: first[1], ...apply(first[0], 1) })
        return applyConfiguration(target, { live, configuration: second[1], ...apply(second[0], 1) })
      }
      const [ab, ba] = [after(['a', a], ['b', b]), after(['b', b], ['a', a])]
      assert.deepEqual(plain(ab), plain(ba))
      for (const manager of ['a', 'b']) assert.deepEqual(ownedBy(ab, manager), ownedBy(ba, manager))
    }),
  )
})

/** Divides an object between two appliers: each field, item or map key goes to one of them. */
function divided(object: JsonObject, choices: readonly boolean[]): [JsonObject, JsonObject] {
  const [one, other]: Record<string, JsonValue>[] = [{}, {}]
  let choice = 0
  const toOne = (): boolean => choices[choice++ % choices.length]!
  for (const [name, value] of Object.entries(object)) {
    if (isList(value) && ['tags', 'ports', 'needed'].includes(name)) {
      const [mine, theirs] = partition(value, toOne)
      if (mine.length > 0) one![name] = mine
      if (theirs.length > 0) other![name] = theirs
    } else if (isObject(value) && name === 'options') {
      const [mine, theirs] = partition(Object.entries(value), toOne)
      if (mine.length > 0) one![name] = Object.fromEntries(mine)
      if (theirs.length > 0) other![name] = Object.fromEntries(theirs)
    } else if (toOne()) one![name] = value
    else other![name] = value
  }
  return [toy(one!), toy(other!)]
}

function partition<T>(items: readonly T[], toOne: () => boolean): [T[], T[]] {
  const [one, other]: [T[], T[]] = [[], []]
  for (const item of items) (toOne() ? one : other).push(item)
  return [one, other]
}

test('equal values do not conflict', () => {
  fc.assert(
    fc.property(distinctToy, distinctToy, (configuration, other) => {
      const live = applyConfiguration(target, { configuration, ...apply('one', 1) })
      applyConfiguration(target, { live, configuration, ...apply('two', 2) })
      try {
        applyConfiguration(target, { live, configuration: other, ...apply('two', 2) })
      } catch (error) {
        assert.ok(error instanceof ApplyConflictError)
        assert.ok(error.conflicts.length > 0)
        for (const { owner } of error.conflicts) assert.equal(owner.manager, 'one')
      }
    }),
  )
})
