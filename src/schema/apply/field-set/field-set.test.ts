import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { assertCanonical } from '../toy-kind.test.kit.js'
import {
  type ElementPath,
  emptySet,
  type FieldSet,
  has,
  namePath,
  paths,
  printPath,
  sameSet,
  setOf,
} from './field-set.js'
import { FieldsV1Error, readFieldsV1 } from './fields-v1.js'
import { anyElement, excluding, including } from './filter.js'
import {
  compareElements,
  keyElement,
  type PathElement,
  printElement,
  readElement,
  valueElement,
} from './path-element.js'
import { contains, difference, intersection, leaves, recursiveDifference, union } from './set-algebra.js'

const scalar = fc.oneof(fc.string({ maxLength: 3 }), fc.integer({ min: -3, max: 300 }), fc.boolean())
const element: fc.Arbitrary<PathElement> = fc.oneof(
  fc.constantFrom('f:a', 'f:b', 'f:c', 'f:__proto__', 'f:constructor', 'f:.', 'f:\u{1f600}', 'f:\uffff', 'f:'),
  fc.dictionary(fc.constantFrom('name', 'port', 'x'), scalar, { minKeys: 1, maxKeys: 2 }).map(keyElement),
  scalar.map(valueElement),
  fc.nat({ max: 12 }).map((index) => `i:${index}`),
)
const path: fc.Arbitrary<ElementPath> = fc.array(element, { minLength: 1, maxLength: 4 })
const somePaths = fc.array(path, { maxLength: 12 })
const set = somePaths.map((list) => setOf(...list))

const text = (one: ElementPath): string => JSON.stringify(one)
const members = (from: FieldSet): Set<string> => new Set([...paths(from)].map(text))
const minus = (a: Set<string>, b: Set<string>): Set<string> => new Set([...a].filter((one) => !b.has(one)))

test('a set contains exactly the paths from which it was built', () => {
  fc.assert(
    fc.property(somePaths, path, (list, other) => {
      const made = setOf(...list)
      assertCanonical(made)
      assert.deepEqual(members(made), new Set(list.map(text)))
      assert.equal(has(made, other), members(made).has(text(other)))
      assert.equal(has(made, []), false)
    }),
  )
})

test('union, intersection and differences agree with those of plain sets of paths', () => {
  fc.assert(
    fc.property(set, set, (a, b) => {
      const [inA, inB] = [members(a), members(b)]
      for (const result of [union(a, b), intersection(a, b), difference(a, b), recursiveDifference(a, b)])
        assertCanonical(result)
      assert.deepEqual(members(union(a, b)), new Set([...inA, ...inB]))
      assert.deepEqual(members(intersection(a, b)), minus(inA, minus(inA, inB)))
      assert.deepEqual(members(difference(a, b)), minus(inA, inB))
      const kept = [...paths(a)].filter((one) => one.every((_, end) => !inB.has(text(one.slice(0, end + 1)))))
      assert.deepEqual(members(recursiveDifference(a, b)), new Set(kept.map(text)))
      assert.equal(contains(a, b), minus(inB, inA).size === 0)
    }),
  )
})

test('operations without effect return the same object', () => {
  fc.assert(
    fc.property(set, set, (a, b) => {
      assert.ok(sameSet(union(a, b), union(b, a)))
      const both = union(a, b)
      assert.equal(union(both, b), both)
      const rest = difference(a, b)
      assert.equal(difference(rest, b), rest)
      assert.equal(union(a, emptySet), a)
      assert.equal(union(emptySet, a), a)
      assert.equal(intersection(a, a), a)
      assert.ok(sameSet(union(rest, intersection(a, b)), a))
    }),
  )
})

test('leaves are the members without members below them', () => {
  fc.assert(
    fc.property(set, (a) => {
      const all = [...paths(a)]
      const isLeaf = (one: ElementPath): boolean =>
        !all.some((other) => other.length > one.length && text(other.slice(0, one.length)) === text(one))
      assert.deepEqual(members(leaves(a)), new Set(all.filter(isLeaf).map(text)))
      assertCanonical(leaves(a))
    }),
  )
})

test('elements are totally ordered, numbers by value', () => {
  const numbers = [2, 10, 9].map((port) => keyElement({ protocol: 'TCP', port })).sort(compareElements)
  assert.deepEqual(
    numbers,
    [2, 9, 10].map((port) => `k:{"port":${port},"protocol":"TCP"}`),
  )
  const names = ['a!', 'a', 'a-b', 'a"'].map((name) => keyElement({ name }))
  assert.deepEqual(
    names.sort(compareElements),
    ['a', 'a!', 'a"', 'a-b'].map((name) => keyElement({ name })),
  )
  assert.deepEqual(['i:1', 'v:1', 'k:{"a":1}', 'f:z'].sort(compareElements), ['f:z', 'k:{"a":1}', 'v:1', 'i:1'])
  assert.ok(compareElements('f:\uffff', 'f:\u{1f600}') < 0, 'by code points')
  assert.ok(compareElements(keyElement({ a: 1 }), keyElement({ a: 1, b: 0 })) < 0, 'what has fewer parts comes first')
  assert.ok(compareElements(valueElement(1.5), valueElement(1)) > 0)
  assert.ok(compareElements(valueElement(-2), valueElement(-10)) > 0)
  fc.assert(
    fc.property(element, element, element, (a, b, c) => {
      assert.equal(Math.sign(compareElements(a, b)) + Math.sign(compareElements(b, a)), 0)
      assert.equal(compareElements(a, b) === 0, a === b)
      if (compareElements(a, b) < 0 && compareElements(b, c) < 0) assert.ok(compareElements(a, c) < 0)
      assert.equal(readElement(a), a)
    }),
  )
})

test('elements in JSON and in messages', () => {
  assert.equal(valueElement('a<b>&"'), 'v:"a\\u003cb\\u003e\\u0026\\""')
  assert.equal(readElement('k:{"b":1, "a":"x"}'), 'k:{"a":"x","b":1}')
  assert.equal(readElement('i:007'), 'i:7')
  assert.equal(readElement('z:new'), undefined)
  assert.equal(
    printPath([...namePath('spec', 'ports'), keyElement({ port: 80, protocol: 'TCP' }), 'f:name']),
    '.spec.ports[port=80,protocol="TCP"].name',
  )
  assert.equal(printElement(valueElement('a\n\u0001\u{1f600}')), '[="a\\n\\x01\u{1f600}"]')
  assert.equal(printElement(valueElement(1234567.5)), '[=1.2345675e+06]')
  assert.equal(printElement('i:3'), '[3]')
})

test('members are listed level by level', () => {
  const one = setOf(namePath('a', 'x'), namePath('b'), namePath('a'), namePath('a', 'x', 'y'), namePath('c', 'z'))
  assert.deepEqual([...paths(one)].map(printPath), ['.a', '.b', '.a.x', '.a.x.y', '.c.z'])
})

test('reading normalizes the order and form of a set', () => {
  fc.assert(
    fc.property(set, (a) => {
      const shuffled = JSON.parse(JSON.stringify(a), (_, value) =>
        Object.fromEntries(
          Object.entries(value)
            .reverse()
            .concat([['z:unknown', 5]]),
        ),
      )
      const read = readFieldsV1(shuffled)
      assert.ok(sameSet(read, a))
      assert.equal(JSON.stringify(read), JSON.stringify(a))
    }),
  )
  assert.equal(readFieldsV1(undefined), emptySet)
  assert.equal(readFieldsV1(null), emptySet)
  assert.deepEqual(readFieldsV1({ 'f:a': null, '.': 5, 'f:b': { '.': {} } }), { 'f:a': {}, 'f:b': {} })
  for (const [written, canonical] of [
    [{ 'f:b': {}, 'f:a': {} }, '{"f:a":{},"f:b":{}}'],
    [{ 'f:a': { 'f:b': {}, '.': {} } }, '{"f:a":{".":{},"f:b":{}}}'],
    [{ 'f:a': { '.': {} } }, '{"f:a":{}}'],
    [{ 'f:a': { '.': { 'f:c': {} }, 'f:b': {} } }, '{"f:a":{".":{},"f:b":{}}}'],
    [{ '.': {}, 'f:a': {} }, '{"f:a":{}}'],
    [{ 'i:01': {} }, '{"i:1":{}}'],
  ] as const)
    assert.equal(JSON.stringify(readFieldsV1(written)), canonical)
})

test('equal sets that are read twice are the same object', () => {
  fc.assert(
    fc.property(set, (a) => {
      const read = (): FieldSet => readFieldsV1(JSON.parse(JSON.stringify(a)))
      assert.equal(read(), read())
      assert.equal(JSON.stringify(read()), JSON.stringify(a))
    }),
  )
})

test('sets are read correctly when their names exceed the size of the pool', () => {
  const names = Array.from({ length: 30_000 }, (_, number) => String(number).padStart(5, '0'))
  for (const some of [names, names.slice(0, 200).map((name) => name.padEnd(10_000, 'x'))]) {
    const made = setOf(...some.map((name) => namePath('data', name)))
    assert.equal(JSON.stringify(readFieldsV1(JSON.parse(JSON.stringify(made)))), JSON.stringify(made))
    const port = (name: string): ElementPath => [...namePath('ports'), keyElement({ name })]
    assert.deepEqual(readFieldsV1({ 'f:ports': { 'k:{"name":"a"}': {} } }), setOf(port('a')))
  }
})

test('values that are not a set of fields are rejected', () => {
  for (const [value, message] of [
    [5, 'a set of fields must be an object, not int64'],
    [{ 'f:a': 'x' }, 'a set of fields must be an object, not string'],
    [{ x: {} }, 'parsing key as path element: key must be 2 characters long:'],
    [{ replicas: {} }, 'parsing key as path element: missing colon: replicas'],
    [{ 'i:one': {} }, 'parsing key as path element: strconv.Atoi: parsing "one": invalid syntax'],
    [{ 'k:[]': {} }, 'parsing key as path element: a key must be an object: []'],
    [{ x: { replicas: {} } }, 'parsing key as path element: key must be 2 characters long:'],
    [{ 'f:a': { replicas: {} }, x: {} }, 'parsing key as path element: missing colon: replicas'],
  ] as const)
    assert.throws(() => readFieldsV1(value), new FieldsV1Error(message))
  assert.throws(() => readFieldsV1({ 'v:{': {} }), FieldsV1Error)
})

test('filters remove excluded fields, or keep only fields below patterns', () => {
  const one = setOf(
    namePath('spec', 'replicas'),
    namePath('spec', 'containers'),
    [...namePath('spec', 'containers'), 'k:{"name":"a"}', 'f:resources', 'f:limits'],
    [...namePath('spec', 'containers'), 'k:{"name":"a"}', 'f:image'],
    namePath('status', 'phase'),
  )
  const shown = (of: FieldSet): string[] => [...paths(of)].map(printPath)
  assert.deepEqual(shown(excluding(namePath('spec'))(one)), ['.status.phase'])
  const resources = including([...namePath('spec', 'containers'), anyElement, 'f:resources'])
  assert.deepEqual(shown(resources(one)), ['.spec.containers', '.spec.containers[name="a"].resources.limits'])
  assert.equal(including()(one), emptySet)
})
