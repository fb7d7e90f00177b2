import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { JsonObject, JsonValue } from '../declaration.js'
import { namePath } from './field-set/field-set.js'
import { excluding } from './field-set/filter.js'
import { union } from './field-set/set-algebra.js'
import {
  ManagedFieldsError,
  managedFieldsOf,
  readManagers,
  withManagedFields,
  withoutTimeChanges,
} from './managed-fields/entries.js'
import { managerName } from './managed-fields/managers.js'
import { shapeOf } from './shape/shape-of.js'
import { allFieldsBelow } from './shape/value-fields.js'
import { applyTarget, unownedFields } from './target.js'
import { anyToy, frozenDeep, shown, toyType } from './toy-kind.test.kit.js'
import { updateManagedFields } from './update.js'
import { singleVersion } from './versions.js'

const target = applyTarget(toyType)
const time = (second: number): string => `2024-05-06T07:08:${String(second).padStart(2, '0')}Z`

const toy = (fields: JsonObject): JsonObject =>
  frozenDeep({ apiVersion: 'toy/v1', kind: 'Toy', metadata: { name: 't', uid: 'u' }, inner: {}, needed: [], ...fields })

const update = (manager: string, second: number, next: JsonObject, live?: JsonObject): JsonObject =>
  frozenDeep(updateManagedFields(target, { live, next, manager, time: time(second) }))

/** Manager, time and fields of each entry, in order. */
const owned = (object: JsonObject): JsonValue =>
  [...readManagers(managedFieldsOf(object) ?? []).values()].map(({ manager, time: since, fields }) => [
    `${manager} ${since?.slice(-3, -1) ?? 'never'}`,
    shown(fields).join(' '),
  ])

test('the writer of a field becomes its only owner', () => {
  const created = update('maker', 1, toy({ title: 'a', options: { x: '1', y: '2' } }))
  assert.deepEqual(owned(created), [['maker 01', '.needed .options .title .options.x .options.y']])
  const changed = update('editor', 2, toy({ title: 'b', options: { x: '1', y: '2', z: '3' } }), created)
  assert.deepEqual(owned(changed), [
    ['maker 01', '.needed .options .options.x .options.y'],
    ['editor 02', '.title .options.z'],
  ])
  const back = update('maker', 3, toy({ title: 'c', options: { y: '2' } }), changed)
  assert.deepEqual(owned(back), [['maker 03', '.needed .options .title .options.y']], 'who owns nothing is gone')
  const same = update('other', 4, toy({ title: 'c', options: { y: '2' } }), back)
  assert.deepEqual(managedFieldsOf(same), managedFieldsOf(back), 'who changes nothing owns nothing')
  const fewer = update('other', 5, toy({ title: 'c' }), same)
  assert.deepEqual(owned(fewer), [['maker 03', '.needed .title']], 'who only takes away owns nothing')
})

test('unchanged entries stay the same objects', () => {
  const created = update('maker', 1, toy({ title: 'a' }))
  const changed = update('editor', 2, toy({ title: 'a', args: ['x'] }), created)
  assert.equal(managedFieldsOf(changed)![0], managedFieldsOf(created)![0])
})

test('the creator owns all fields of a new object that can have owners', () => {
  fc.assert(
    fc.property(anyToy, (given) => {
      const object = frozenDeep({ ...given, metadata: { name: 't' } })
      const created = updateManagedFields(target, { next: object, manager: 'maker', time: time(1) })
      const [owner] = readManagers(managedFieldsOf(created) ?? []).values()
      const all = allFieldsBelow(shapeOf(toyType), object)
      for (const path of shown(owner?.fields ?? {})) assert.ok(shown(all).includes(path))
      assert.deepEqual(withManagedFields(created, undefined), object)
      const missing = shown(all).filter((path) => !shown(union(owner?.fields ?? {}, unownedFields)).includes(path))
      for (const path of missing) assert.match(path, /^\.(inner|needed|metadata)$/, 'only what an empty object has too')
    }),
  )
})

test('identity, resource version and times of an object have no owners', () => {
  const metadata = { name: 't', uid: 'u', labels: { a: 'b' } }
  assert.deepEqual(owned(update('maker', 1, toy({ metadata }))), [
    ['maker 01', '.needed .metadata.labels .metadata.labels.a'],
  ])
})

test('fields that a write cannot change are not tracked', () => {
  const status = applyTarget(toyType, { subresource: 'status', versions: singleVersion(excluding(namePath('title'))) })
  const live = update('maker', 1, toy({ title: 'a' }))
  const next = toy({ title: 'ignored', at: time(0) })
  const written = updateManagedFields(status, { live, next, manager: 'maker', time: time(2) })
  assert.deepEqual(
    (managedFieldsOf(written) as JsonObject[]).map(({ subresource, fieldsV1 }) => [subresource, fieldsV1]),
    [
      [undefined, { 'f:needed': {}, 'f:title': {} }],
      ['status', { 'f:at': {} }],
    ],
  )
})

test('managed fields from a client are used, unless they are malformed or sent to a subresource', () => {
  const live = update('maker', 1, toy({ title: 'a' }))
  const entry = { manager: 'me', operation: 'Apply', apiVersion: 'toy/v1', fieldsType: 'FieldsV1' }
  const given = (entries: readonly JsonValue[]): JsonObject => withManagedFields(toy({ title: 'a' }), entries)
  const taken = update('x', 2, given([{ ...entry, fieldsV1: { 'f:title': {} } }]), live)
  assert.deepEqual(owned(taken), [['me never', '.title']])
  for (const bad of [
    { ...entry, operation: 'Replace' },
    { ...entry, apiVersion: '' },
    { ...entry, fieldsType: 'FieldsV2' },
    { ...entry, fieldsV1: { title: {} } },
  ])
    assert.deepEqual(owned(update('x', 2, given([bad]), live)), owned(live))
  const status = applyTarget(toyType, { subresource: 'status' })
  const through = updateManagedFields(status, {
    live,
    next: given([{ ...entry, fieldsV1: {} }]),
    manager: 'x',
    time: time(2),
  })
  assert.deepEqual(owned(through), owned(live))
})

test('one empty entry clears managed fields, and they stay empty', () => {
  const live = update('maker', 1, toy({ title: 'a' }))
  for (const clear of [[{}], []]) {
    const cleared = update('x', 2, withManagedFields(toy({ title: 'b' }), clear), live)
    assert.equal(managedFieldsOf(cleared), undefined)
    assert.equal(managedFieldsOf(update('x', 3, toy({ title: 'c' }), cleared)), undefined)
  }
})

test('managed fields do not change if an object has items without an identity', () => {
  const live = update('maker', 1, toy({ title: 'a' }))
  const next = update('x', 2, toy({ title: 'b', named: [{ b: 'no key' }] }), live)
  assert.deepEqual(managedFieldsOf(next), managedFieldsOf(live))
  assert.equal(next.title, 'b')
})

test('the oldest of more than ten updaters are merged under one name', () => {
  let live = update('m00', 1, toy({ options: { k00: '' } }))
  const options: Record<string, string> = { k00: '' }
  for (let number = 1; number <= 11; number++) {
    const name = String(number).padStart(2, '0')
    options[`k${name}`] = ''
    live = update(`m${name}`, number + 1, toy({ options: { ...options } }), live)
  }
  const names = (owned(live) as string[][]).map(([name]) => name)
  assert.deepEqual(names, [
    'ancient-changes 03',
    ...[3, 4, 5, 6, 7, 8, 9].map((n) => `m0${n} ${String(n + 1).padStart(2, '0')}`),
    'm10 11',
    'm11 12',
  ])
  assert.equal((owned(live) as string[][])[0]![1], '.needed .options .options.k00 .options.k01 .options.k02')
})

test('entries are ordered: appliers first, then by time, name, version and subresource', () => {
  const entry = (manager: string, operation: string, at?: string, more = {}): JsonObject => ({
    manager,
    operation,
    apiVersion: 'toy/v1',
    ...(at && { time: at }),
    fieldsType: 'FieldsV1',
    fieldsV1: { 'f:title': {} },
    ...more,
  })
  const sorted = [
    entry('z', 'Apply'),
    entry('b', 'Apply', time(1)),
    entry('a', 'Apply', time(2)),
    entry('a', 'Update'),
    entry('a', 'Update', time(1)),
    entry('b', 'Update', time(1)),
    entry('b', 'Update', time(1), { subresource: 'status' }),
  ].filter((_, index) => index !== 3)
  const next = withManagedFields(toy({ title: 'a' }), [...sorted].reverse())
  const written = update('x', 3, next, toy({ title: 'a' }))
  assert.deepEqual(managedFieldsOf(written), sorted)
})

test('a write that would only change a time keeps the old time', () => {
  const live = update('maker', 1, toy({ title: 'a' }))
  const later = update('maker', 2, toy({ title: 'a' }))
  assert.deepEqual(withoutTimeChanges(later, live), live)
  const changed = update('maker', 2, toy({ title: 'b' }))
  assert.equal(withoutTimeChanges(changed, live), changed)
  assert.equal(withoutTimeChanges(live, live), live)
})

test('malformed managed fields have an error message', () => {
  const entry = { manager: 'me', operation: 'Apply', apiVersion: 'v1', fieldsType: 'FieldsV1' }
  for (const [bad, message] of [
    [{ ...entry, operation: 'X' }, 'operation must be `Apply` or `Update`'],
    [{ ...entry, apiVersion: '' }, 'apiVersion must not be empty'],
    [{ ...entry, fieldsType: '' }, 'missing fieldsType in managed fields entry 0'],
    [{ ...entry, fieldsType: 'FieldsV2' }, 'invalid fieldsType "FieldsV2" in managed fields entry 0'],
  ] as const)
    assert.throws(() => readManagers([bad]), new ManagedFieldsError(message))
})

test('a request without a field manager is named after its user agent', () => {
  assert.equal(managerName('ci', 'kubectl/v1.36'), 'ci')
  assert.equal(managerName('', 'kubectl/v1.36 (linux/amd64)'), 'kubectl')
  assert.equal(managerName(undefined, `a\u0000b${'ü'.repeat(100)}`), `ab${'ü'.repeat(63)}`)
  const unnamed = update('', 1, toy({ title: 'a' }))
  assert.deepEqual(owned(unnamed), [['unknown 01', '.needed .title']])
})
