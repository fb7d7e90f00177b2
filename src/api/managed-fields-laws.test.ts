/** Properties of the managed fields of every kind. `PROA_LAW_RUNS` sets the number of objects per kind. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { difference } from '../schema/apply/field-set/set-algebra.js'
import { managedFieldsOf } from '../schema/apply/managed-fields/entries.js'
import { plainChanges } from '../schema/apply/plain-changes.test.kit.js'
import { compareObjects } from '../schema/apply/shape/compare.js'
import { ItemError } from '../schema/apply/shape/items.js'
import { type ApplyTarget, applyTarget, unownedFields } from '../schema/apply/target.js'
import { updateManagedFields } from '../schema/apply/update.js'
import type { JsonObject } from '../schema/declaration.js'
import { decodeValue } from '../schema/decode/decoder.js'
import { setDefaults } from '../schema/defaults.js'
import type { ServedKind } from '../schema/scheme.js'
import { arbitraryObject } from '../testing/objects/arbitrary-objects.js'
import { builtin } from './scheme.js'

const runs = { numRuns: Number(process.env.PROA_LAW_RUNS ?? 12), includeErrorInReport: true }

/** Random objects in the form in which the server computes managed fields. */
function objectsOf(type: ServedKind): fc.Arbitrary<JsonObject> {
  const { apiVersion, kind } = type.kind
  return arbitraryObject(type, { nulls: false }).map((given) => {
    const metadata = { ...(given.metadata as object), managedFields: undefined }
    const { object } = decodeValue(type, JSON.parse(JSON.stringify({ ...given, apiVersion, kind, metadata })), 'Ignore')
    setDefaults(type, object)
    return object as JsonObject
  })
}

function fieldsOfMaker(target: ApplyTarget, next: JsonObject): JsonObject | undefined {
  const created = updateManagedFields(target, { next, manager: 'maker', time: '2024-05-06T07:08:09Z' })
  const [entry] = managedFieldsOf(created) ?? []
  return (entry as JsonObject | undefined)?.fieldsV1 as JsonObject | undefined
}

/** Text that includes the order of elements. Empty for no fields, and for objects with items without an identity. */
function shown(find: () => object | undefined): string {
  try {
    return JSON.stringify(find() ?? {})
  } catch (error) {
    if (error instanceof ItemError) return '{}'
    throw error
  }
}

for (const type of builtin.resources)
  test(`the fields of ${type.name} that compareObjects reports are those that differ`, () => {
    const target = applyTarget(type)
    const objects = objectsOf(type)
    fc.assert(
      fc.property(objects, objects, (one, other) => {
        const { shape, empty } = target
        assert.equal(
          shown(() => compareObjects(shape, one, other)),
          shown(() => plainChanges(shape, one, other)),
        )
        assert.equal(
          shown(() => fieldsOfMaker(target, one)),
          shown(() => difference(plainChanges(shape, empty, one).changed, unownedFields)),
        )
      }),
      runs,
    )
  })
