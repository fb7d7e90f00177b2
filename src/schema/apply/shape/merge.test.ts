import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { JsonObject, JsonValue } from '../../declaration.js'
import { isEmptyObject, isList, isObject, sameJson } from '../../json-value.js'
import { type ElementPath, emptySet, namePath, setOf } from '../field-set/field-set.js'
import { contains, difference, intersection } from '../field-set/set-algebra.js'
import { anyToy, distinctToy, shown, toyType, typedToy } from '../toy-kind.test.kit.js'
import { compareObjects } from './compare.js'
import { mergedOrder, mergeObjects } from './merge.js'
import { removeFields } from './remove.js'
import { shapeOf } from './shape-of.js'
import { fitToShape, withNamedFields } from './shaped-sets.js'
import { allFieldsBelow, configuredFields } from './value-fields.js'

const toy = shapeOf(toyType)

test('a merge sets all configured values, and keeps all others', () => {
  const live: JsonObject = {
    title: 'a',
    tags: ['x'],
    options: { a: '1' },
    args: ['-v'],
    ports: [{ port: 1, name: 'p', weights: { a: 1 } }, { port: 2 }],
    pair: { left: 'l' },
  }
  const configuration: JsonObject = {
    title: 'b',
    tags: ['y'],
    options: { b: '2' },
    args: ['-q'],
    ports: [{ port: 3 }, { port: 1, weights: { b: 2 } }],
    pair: { right: 'r' },
  }
  assert.deepEqual(mergeObjects(toy, live, configuration), {
    title: 'b',
    tags: ['x', 'y'],
    options: { a: '1', b: '2' },
    args: ['-q'],
    ports: [{ port: 3 }, { port: 1, name: 'p', weights: { a: 1, b: 2 } }, { port: 2 }],
    pair: { right: 'r' },
  })
})

test('null does not change objects and lists, and replaces scalars and atomic values', () => {
  const live = { title: 'a', options: { a: '1' }, tags: ['x'], pair: { left: 'l' }, free: { a: 1 } }
  const nulls = { title: null, options: null, tags: null, pair: null, free: null }
  assert.deepEqual(mergeObjects(toy, live, nulls), { ...live, title: null, pair: null })
})

test('a second identical merge changes nothing', () => {
  fc.assert(
    fc.property(anyToy, distinctToy, (live, configuration) => {
      const merged = mergeObjects(toy, live, configuration)
      assert.ok(sameJson(mergeObjects(toy, merged, configuration), merged))
      assert.equal(mergeObjects(toy, live, {}), live)
    }),
  )
})

test('a merge sets each configured field, and removes none', () => {
  fc.assert(
    fc.property(typedToy, typedToy, (live, configuration) => {
      const merged = mergeObjects(toy, live, configuration)
      const { changed, removed } = compareObjects(toy, configuration, merged)
      const leaves = configuredFields(toy, withoutEmpty(configuration))
      assert.deepEqual(shown(intersection(leaves, changed)), [])
      assert.deepEqual(shown(removed), [])
      const fields = allFieldsBelow(toy, merged)
      for (const side of [live, configuration]) assert.ok(contains(fields, configuredFields(toy, side)))
    }),
  )
})

/** Removes empty maps: configuring one does not remove its members. */
function withoutEmpty(value: JsonObject): JsonObject {
  const isEmpty = (part: JsonValue): boolean => isObject(part) && isEmptyObject(part)
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, part]) => !isEmpty(part))
      .map(([name, part]) => [name, isObject(part) ? withoutEmpty(part) : isList(part) ? part.map(filled) : part]),
  )
}

function filled(item: JsonValue): JsonValue {
  return isObject(item) ? withoutEmpty(item) : item
}

test('merged lists have the configured order, and other items stay near their old positions', () => {
  const order = (live: string, given: string): string =>
    mergedOrder([...live], [...given])
      .map(({ element }) => element)
      .join('')
  assert.equal(order('abc', 'b'), 'abc')
  assert.equal(order('abc', 'cb'), 'acb')
  assert.equal(order('abc', 'xbyc'), 'axbyc')
  assert.equal(order('abc', 'x'), 'abcx')
  assert.equal(order('', 'xy'), 'xy')
  assert.equal(order('abab', 'a'), 'abb')
  assert.equal(order('abcd', 'dca'), 'bdca')
  const letters = fc.string({ unit: fc.constantFrom(...'abcdef'), maxLength: 6 })
  fc.assert(
    fc.property(letters, fc.uniqueArray(fc.constantFrom(...'abcdef')), (live, given) => {
      const merged = order(live, given.join(''))
      const isGiven = (letter: string): boolean => given.includes(letter)
      const others = (of: string): string => [...of].filter((letter) => !isGiven(letter)).join('')
      assert.equal([...merged].filter(isGiven).join(''), given.join(''))
      assert.equal(others(merged), others(live))
    }),
  )
})

test('removed fields are absent, and values that lose all parts are null', () => {
  const object = {
    title: 'a',
    options: { a: '1', b: '2' },
    tags: ['x'],
    ports: [{ port: 1, name: 'p' }],
    inner: { a: 'x' },
  }
  const name: ElementPath = [...namePath('ports'), 'k:{"port":1,"protocol":"TCP"}', 'f:name']
  const tag: ElementPath = [...namePath('tags'), 'v:"x"']
  const set = setOf(namePath('title'), namePath('options', 'a'), tag, name, namePath('inner', 'a'))
  const left = { options: { b: '2' }, tags: null, ports: [{ port: 1 }], inner: null }
  assert.deepEqual(removeFields(toy, object, set), left)
  assert.equal(removeFields(toy, object, emptySet), object)
})

test('removing fields does not remove others', () => {
  fc.assert(
    fc.property(distinctToy, distinctToy, (value, other) => {
      const [fields, gone] = [configuredFields(toy, value), configuredFields(toy, other)]
      const left = configuredFields(toy, removeFields(toy, value, gone))
      const still = intersection(left, intersection(fields, gone))
      assert.deepEqual(shown(still), [])
      assert.ok(contains(allFieldsBelow(toy, value), left))
    }),
  )
})

test('declared fields that lead to a member become members; map keys and items do not', () => {
  const set = setOf(namePath('inner', 'again', 'a'), namePath('options', 'a'), namePath('unknown', 'x'), [
    ...namePath('ports'),
    'k:{"port":1,"protocol":"TCP"}',
    'f:name',
  ])
  assert.deepEqual(shown(difference(withNamedFields(toy, set), set)), ['.inner', '.options', '.ports', '.inner.again'])
})

test('an owner of parts of a value that became atomic owns all of it', () => {
  const first: ElementPath = [...namePath('args'), 'i:0']
  const set = setOf(namePath('pair', 'left'), first, namePath('frozen', 'a'), namePath('options', 'a'))
  assert.deepEqual(shown(fitToShape(toy, set)), ['.args', '.frozen', '.pair', '.options.a'])
  const fits = setOf(namePath('pair'), namePath('title'))
  assert.equal(fitToShape(toy, fits), fits)
})
