/** Properties of patches, on random objects of every served kind. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { JsonObject, JsonValue } from '../schema/declaration.js'
import type { LinkedType, ObjectField, ObjectType } from '../schema/model.js'
import { applyJsonPatch } from '../schema/patch/json-patch.js'
import { diffJsonPatch } from '../schema/patch/json-patch-diff.js'
import { applyMergePatch, diffMergePatch } from '../schema/patch/merge-patch.js'
import { PatchError } from '../schema/patch/patch-error.js'
import { diffStrategicPatch } from '../schema/patch/strategic-diff.js'
import { applyStrategicPatch } from '../schema/patch/strategic-patch.js'
import { diffStrategicPatchThreeWay } from '../schema/patch/strategic-three-way.js'
import { builtin } from './scheme.js'

/** Few different values, so that two random objects often agree. */
const words = fc.constantFrom('a', 'b', 'c')
const keys = fc.constantFrom('a', 'b', 'example.com/c', '__proto__', 'constructor')
const opaque = fc.oneof(words, fc.object({ maxDepth: 2, key: words, values: [words, fc.nat(3)] }))

/** A random value of a type, without nulls and with distinct merge keys. */
function randomValue(
  type: LinkedType,
  depth: number,
  { mergeKey, patch }: ObjectField['options'] = {},
): fc.Arbitrary<JsonValue> {
  switch (type.is) {
    case 'object':
      return randomObject(type.object, depth)
    case 'map':
      return fc
        .uniqueArray(fc.tuple(keys, randomValue(type.of, depth - 1)), { selector: ([key]) => key, maxLength: 3 })
        .map((entries) => Object.fromEntries(entries))
    case 'list':
      return mergeKey
        ? fc.uniqueArray(randomElement(type.of, mergeKey, depth - 1), {
            selector: (element) => element[mergeKey],
            maxLength: 4,
          })
        : patch
          ? fc.uniqueArray(randomValue(type.of, depth - 1) as fc.Arbitrary<string>, { maxLength: 3 })
          : fc.array(randomValue(type.of, depth - 1), { maxLength: 2 })
    case 'bool':
      return fc.boolean()
    case 'int32':
    case 'int64':
    case 'double':
    case 'intOrString':
      return fc.nat(4)
    case 'json':
    case 'rawExtension':
    case 'fieldsV1':
      return opaque as fc.Arbitrary<JsonValue>
    case 'either':
      return fc.oneof(...type.alternatives.map((option) => randomValue(option, depth - 1)))
    default:
      return words
  }
}

function randomObject(type: ObjectType, depth: number): fc.Arbitrary<JsonObject> {
  const fields = depth > 0 ? type.fields : []
  const members = fields.map(({ name, type: of, options }) => {
    const value = randomValue(of, depth - 1, options)
    const weight = (options.mergeKey ?? options.patch ?? leadsToMerging(of)) ? 20 : 1
    return fc
      .oneof({ weight: 3, arbitrary: fc.constant(undefined) }, { weight, arbitrary: value })
      .map((present) => [name, present] as const)
  })
  return fc
    .tuple(...members)
    .map((entries) => Object.fromEntries(entries.filter(([, value]) => value !== undefined)) as JsonObject)
}

/** Whether a type contains merging lists. Such objects should rarely be empty. */
function leadsToMerging(type: LinkedType): boolean {
  return type.is === 'object' && merging(type.object)
}

const known = new Map<ObjectType, boolean>()

function merging(type: ObjectType): boolean {
  if (!known.has(type)) {
    known.set(type, false) // preliminary, for recursive types
    known.set(
      type,
      type.fields.some(({ options, type: of }) => options.mergeKey ?? options.patch ?? leadsToMerging(of)),
    )
  }
  return known.get(type)!
}

function randomElement(type: LinkedType, mergeKey: string, depth: number): fc.Arbitrary<JsonObject> {
  assert.ok(type.is === 'object')
  const key = randomValue(type.object.field.get(mergeKey)!.type, 0)
  return fc.tuple(randomObject(type.object, depth), key).map(([element, value]) => ({ ...element, [mergeKey]: value }))
}

/** A mixture of two objects, so that two states have some values in common. */
function mixed(left: JsonValue, right: JsonValue, pick: (choices: number) => number): JsonValue {
  if (!isPlain(left) || !isPlain(right)) return pick(2) === 0 ? left : right
  const names = new Set([...Object.keys(left), ...Object.keys(right)])
  const entries = [...names].flatMap((name): [string, JsonValue][] => {
    const values = [left, right].flatMap((object) => (Object.hasOwn(object, name) ? [object[name]!] : []))
    return values.length === 2
      ? [[name, mixed(values[0]!, values[1]!, pick)]]
      : pick(3) === 0
        ? []
        : [[name, values[0]!]]
  })
  return Object.fromEntries(entries)
}

function isPlain(value: JsonValue): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function freeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(freeze)
  return value
}

interface States {
  readonly original: JsonObject
  readonly modified: JsonObject
  readonly current: JsonObject
}

function randomStates(type: ObjectType): fc.Arbitrary<States> {
  const object = randomObject(type, 10)
  return fc.tuple(object, object, fc.infiniteStream(fc.nat(11))).map(([original, other, stream]) => {
    const pick = (choices: number) => (stream.next().value as number) % choices
    const modified = mixed(original, other, pick) as JsonObject
    const current = mixed(original, other, pick) as JsonObject
    return freeze({ original, modified, current })
  })
}

const served = builtin.resources.filter(({ kind }) => kind.resource.verbs.includes('patch'))

/** The states are frozen, so that a patch that modifies its input throws. */
function holds(type: ObjectType, law: (states: States) => void): void {
  fc.assert(fc.property(randomStates(type), law), { numRuns: 40 })
}

test(`${served.length} kinds: applying the difference to the original gives the modified object`, () => {
  for (const type of served) {
    holds(type, ({ original, modified }) => {
      assert.deepEqual(applyJsonPatch(original, diffJsonPatch(original, modified)), modified)
      assert.deepEqual(applyMergePatch(original, diffMergePatch(original, modified)), modified)
      assert.deepEqual(applyStrategicPatch(type, original, diffStrategicPatch(type, original, modified)), modified)
    })
  }
})

/** Whether all nested values are declared. A patch cannot merge inside undeclared values. */
function isTransparent(type: ObjectType, seen = new Set<ObjectType>()): boolean {
  if (seen.has(type)) return true
  seen.add(type)
  return type.fields.every((field) => isTransparentType(field.type, seen))
}

function isTransparentType(type: LinkedType, seen: Set<ObjectType>): boolean {
  if (type.is === 'object') return isTransparent(type.object, seen)
  if (type.is === 'list' || type.is === 'map') return isTransparentType(type.of, seen)
  return !['json', 'rawExtension', 'either'].includes(type.is)
}

test('a strategic patch is idempotent, and empty between equal objects', () => {
  for (const type of served.filter((kind) => isTransparent(kind))) {
    holds(type, ({ original, modified, current }) => {
      const patch = diffStrategicPatch(type, original, modified)
      const once = applyStrategicPatch(type, current, patch)
      assert.deepEqual(applyStrategicPatch(type, once, patch), once)
      assert.deepEqual(diffStrategicPatch(type, original, structuredClone(original)), {})
    })
  }
})

test('three-way: without drift it is the difference, and empty after it was applied', () => {
  for (const type of served) {
    holds(type, ({ original, modified, current }) => {
      const undrifted = diffStrategicPatchThreeWay(type, { original, modified, current: original })
      assert.deepEqual(applyStrategicPatch(type, original, undrifted), modified)
      const patch = diffStrategicPatchThreeWay(type, { original, modified, current })
      const applied = applyStrategicPatch(type, current, patch)
      assert.deepEqual(diffStrategicPatch(type, applied, modified, { deletions: false, order: false }), {})
      const again = diffStrategicPatchThreeWay(type, { original: modified, modified, current: applied })
      assert.deepEqual(applyStrategicPatch(type, applied, again), applied)
    })
  }
})

test('three-way: without changes by other clients there is no conflict', () => {
  for (const type of served) {
    holds(type, ({ original, modified }) => {
      const undrifted = { original, modified, current: original }
      assert.ok(diffStrategicPatchThreeWay(type, undrifted, { overwrite: false }))
    })
  }
})

const members = fc.constantFrom(
  ...[
    'metadata',
    'labels',
    'finalizers',
    'ownerReferences',
    'spec',
    'template',
    'containers',
    'env',
    'name',
    'strategy',
  ],
  ...['$patch', '$retainKeys', '$setElementOrder', '$setElementOrder/containers', '$setElementOrder/env'],
  ...['$setElementOrder/finalizers', '$setElementOrder/spec', '$deleteFromPrimitiveList/finalizers', '__proto__'],
)
const { anything } = fc.letrec<{ anything: JsonValue }>((tie) => ({
  anything: fc.oneof(
    { maxDepth: 7, withCrossShrink: true },
    fc.constantFrom(null, 'a', 'replace', 'delete', 'merge', 'name', 0, 1.5, true),
    fc
      .uniqueArray(fc.tuple(members, tie('anything')), { selector: ([key]) => key, maxLength: 5 })
      .map((entries) => Object.fromEntries(entries)),
    fc.array(tie('anything'), { maxLength: 3 }),
  ),
}))
const object = anything.filter(isPlain)

test('any JSON either patches any other or is rejected with a reason', () => {
  const type = builtin.type('apps/v1.Deployment')
  const attempts = (left: JsonObject, right: JsonObject) => [
    () => applyStrategicPatch(type, left, right),
    () => diffStrategicPatch(type, left, right),
    () => diffStrategicPatchThreeWay(type, { original: left, modified: right, current: left }, { overwrite: false }),
  ]
  const check = (left: JsonObject, right: JsonObject) => {
    for (const attempt of attempts(freeze(left), freeze(right))) {
      try {
        assert.ok(isPlain(attempt()))
      } catch (error) {
        if (!(error instanceof PatchError)) throw error
        assert.notEqual(error.message, '')
      }
    }
  }
  fc.assert(fc.property(object, object, check), { numRuns: 3_000 })
})
