/** Laws of the kinds that run pods, scale them and protect them, on random objects: whatever a client sends, it gets an answer. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import * as fc from 'fast-check'
import type { JsonObject } from '../schema/declaration.js'
import { isObject } from '../schema/json-value.js'
import type { ObjectType } from '../schema/model.js'
import { arbitraryObject } from '../testing/arbitrary.js'
import { created, patched, shown, type WrittenObject } from '../testing/written-object.js'
import { builtin } from './scheme.js'

const groups = ['apps', 'batch', 'autoscaling', 'policy']
const kinds = builtin.resources.filter(({ kind, strategy }) => groups.includes(kind.group) && !strategy.stored)
const runs = { numRuns: 40 }

/** The rules of pods have laws of their own: templates are good here, so that the rest can be. */
const podTemplate = { metadata: { labels: { app: 'x' } }, spec: { containers: [{ name: 'app', image: 'app:1' }] } }

/** What was said, with a good template wherever the kind has one. */
function withTemplate(type: ObjectType, { spec, ...rest }: JsonObject): JsonObject {
  const field = type.field.get('spec')?.type
  if (field?.is !== 'object') return rest
  const given = isObject(spec) ? spec : {}
  if (field.object.field.has('template')) return { ...rest, spec: { ...given, template: podTemplate } }
  if (!field.object.field.has('jobTemplate')) return { ...rest, spec: given }
  const jobSpec = isObject(given.jobTemplate) && isObject(given.jobTemplate.spec) ? given.jobTemplate.spec : {}
  return { ...rest, spec: { ...given, jobTemplate: { spec: { ...jobSpec, template: podTemplate } } } }
}

describe('of each workload', () => {
  for (const { name } of kinds) {
    const type = builtin.type(name)
    const arbitrary = arbitraryObject(type).map((given) => {
      const { apiVersion: _, kind: __, metadata: ___, ...rest } = given as JsonObject
      return withTemplate(type, rest)
    })
    const lawful = (check: (written: WrittenObject) => void) =>
      fc.assert(
        fc.property(arbitrary, (given) => check(created(name, given))),
        runs,
      )

    test(`${name} can be created or is refused, and can be shown`, () =>
      lawful((written) => {
        assert.ok(written.problems.every((problem) => problem !== ''))
        assert.ok(Object.values(shown(written)).every((cell) => cell !== undefined))
      }))

    test(`${name} may stay as it is once it was created`, () =>
      lawful((written) => {
        const again = patched(written, {})
        assert.deepEqual(again.object, written.object)
        if (written.problems.length === 0) assert.deepEqual(again.problems, [])
      }))

    test(`${name} is looked at even if it says next to nothing`, () =>
      assert.doesNotThrow(() => patched(created(name, withTemplate(type, {})), {})))
  }
})
