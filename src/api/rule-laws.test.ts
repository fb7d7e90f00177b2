/**
 * Properties of the strategy of every served kind, for any input. `PROA_LAW_RUNS` sets the number of objects per kind.
 */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import * as fc from 'fast-check'
import type { JsonObject } from '../schema/declaration.js'
import { decodeValue } from '../schema/decode/decoder.js'
import { DecodeError } from '../schema/decode/inspect.js'
import { setDefaults } from '../schema/defaults.js'
import type { Draft } from '../schema/infer.js'
import type { ServedKind } from '../schema/scheme.js'
import { arbitraryObject } from '../testing/objects/arbitrary-objects.js'
import { KindHarness } from '../testing/objects/kind-harness.js'
import { arbitraryVariation } from '../testing/objects/object-variations.js'
import { postedObjects } from '../testing/objects/recorded-objects.js'
import type { UntypedObject } from './kube-object.js'
import { builtin } from './scheme.js'

const runs = { numRuns: Number(process.env.PROA_LAW_RUNS ?? 12), includeErrorInReport: true }
const posted = postedObjects()

/** Preparations that are not idempotent on purpose. */
const unsettled: ReadonlySet<string> = new Set([
  // Each creation of a pod merges values of its labels into its selectors.
  'creation of core/v1.Pod',
  // Without labels and template, the labels are removed; with the template, they are taken from it.
  'status of core/v1.ReplicationController',
])

/** Recorded and random request bodies that can be decoded. */
function bodiesOf(type: ServedKind): fc.Arbitrary<object> {
  const arbitrary = arbitraryObject(type, { depth: 6 })
  const sent = posted.get(type)?.filter((body) => isReadable(type, body)) ?? []
  return sent.length === 0 ? arbitrary : fc.oneof(arbitrary, fc.constantFrom(...sent).chain(arbitraryVariation))
}

function isReadable(type: ServedKind, body: JsonObject): boolean {
  try {
    decodeValue(type, structuredClone(body), 'Strict')
    return true
  } catch (error) {
    if (error instanceof DecodeError) return false
    throw error
  }
}

for (const type of builtin.resources) {
  const kind = new KindHarness(type.name)
  const { columns, verbs } = type.kind.resource
  const bodies = bodiesOf(type)
  const law = (check: (body: object, other: object) => void) => fc.assert(fc.property(bodies, bodies, check), runs)

  describe(type.name, () => {
    test(`${type.name} has idempotent defaults`, () =>
      law((body) => {
        const object = kind.decode(body)
        const once = structuredClone(object)
        setDefaults(type, object)
        assert.deepEqual(object, once)
      }))

    test(`${type.name} is validated, prepared idempotently, and printed`, () =>
      law((body) => {
        const { object, warnings } = kind.create(body)
        if (!unsettled.has(`creation of ${type.name}`)) assert.deepEqual(kind.create(object).object, object)
        assert.ok(warnings.every((warning) => warning !== ''))
        assert.equal(kind.cells(object).filter((cell) => cell !== undefined).length, columns.length)
      }))

    if (!verbs.includes('update')) return

    for (const view of viewsOf(type))
      test(`${type.name} is validated and prepared idempotently on update${view && `, as its ${view}`}`, () =>
        law((before, after) => {
          const old = kind.create(before)
          const { object } = kind.update(old, replacedBy(after), view)
          const again = kind.update(old, replacedBy(object), view)
          if (!unsettled.has(`${view} of ${type.name}`)) assert.deepEqual(again.object, object)
        }))

    test(`${type.name} does not change when it is written back`, () =>
      law((body) => {
        const { object, errors } = kind.create(body)
        // Once with all parts shared with the old object, once as a copy.
        for (const change of [{}, () => undefined]) {
          const again = kind.update(object, change)
          assert.deepEqual(again.object, object)
          if (errors.length === 0) assert.deepEqual(again.errors, [])
        }
      }))
  })
}

/** The object itself, and its subresources with a strategy. */
function viewsOf({ kind, strategy }: ServedKind): readonly string[] {
  const { subresources } = kind.resource
  const isWritten = (name: string) => subresources[name]!.verbs.includes('update')
  const isPart = (name: string) => name === 'status' || strategy.subresources?.[name] !== undefined
  return ['', ...Object.keys(subresources).filter((name) => isWritten(name) && isPart(name))]
}

/** Replaces everything but the identity of an object. */
function replacedBy(other: object): (draft: Draft<UntypedObject>) => void {
  return (draft) => {
    const { name, namespace, uid } = draft.metadata
    for (const key of Object.keys(draft)) delete draft[key]
    Object.assign(draft, other)
    draft.metadata = { ...draft.metadata, name, namespace, uid } as never
  }
}
