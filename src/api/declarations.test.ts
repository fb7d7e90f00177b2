import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import type { JsonObject } from '../schema/declaration.js'
import { decodeJson, decodeValue } from '../schema/decode/decoder.js'
import { setDefaults } from '../schema/defaults.js'
import { encode } from '../schema/encode.js'
import type { ObjectType } from '../schema/model.js'
import { arbitraryObject } from '../testing/objects/arbitrary-objects.js'
import { builtin } from './scheme.js'

const types = [...builtin.types.values()]

describe('every declared type', () => {
  it('is decoded in the same way after many objects of it', () => {
    const givens = types.map((type) => fc.sample(arbitraryObject(type), { numRuns: 5, seed: 1 }))
    const decodeAll = () =>
      types.map((type, i) => givens[i]!.map((given) => JSON.stringify(decodeValue(type, given, 'Strict').object)))
    const early = decodeAll()
    for (const type of types) for (let i = 0; i < 1000; i++) decodeValue(type, {}, 'Strict')
    assert.deepEqual(decodeAll(), early)
  })

  it('decodes its own encoding to the same bytes', () => {
    forEveryType((type, given) => {
      const bytes = encode(type, given)
      const again = decodeJson(type, bytes, 'Strict')
      assert.deepEqual(again.warnings, [])
      assert.equal(encode(type, again.object).toString(), bytes.toString())
    })
  })

  it('does not modify the input of decoding', () => {
    forEveryType((type, given) => {
      const before = JSON.stringify(given)
      decodeValue(type, given, 'Strict')
      assert.equal(JSON.stringify(given), before)
    })
  })

  it('has idempotent defaults', () => {
    forEveryType((type, given) => {
      const once = decodeValue(type, given, 'Strict').object
      setDefaults(type, once)
      const twice = structuredClone(once)
      setDefaults(type, twice)
      assert.deepEqual(twice, once)
      assert.equal(
        encode(type, once).toString(),
        encode(type, decodeJson(type, encode(type, once), 'Strict').object).toString(),
      )
    })
  })

  it('decodes any JSON or rejects it with a message', () => {
    for (const type of types) {
      fc.assert(
        fc.property(almost(type), (given) => refusesInWords(type, given)),
        { numRuns: 20 },
      )
    }
  })

  it('has distinct field numbers', () => {
    for (const { name, fields } of types) {
      const tags = fields.map(({ tag }) => tag).filter((tag) => tag !== 0)
      assert.equal(new Set(tags).size, tags.length, name)
    }
  })

  it('has merge and map keys that are fields of its elements', () => {
    for (const type of types)
      for (const { name, type: fieldType, options } of type.fields) {
        const keys = [...(options.keys ?? []), ...(options.mergeKey ? [options.mergeKey] : [])]
        if (keys.length === 0) continue
        assert.ok(fieldType.is === 'list' && fieldType.of.is === 'object', `${type.name}.${name} is a list of objects`)
        for (const key of keys)
          assert.ok(fieldType.of.object.field.has(key), `${type.name}.${name} has elements with ${key}`)
      }
  })
})

describe('objects recorded from a v1.36 server', () => {
  const recorded: readonly JsonObject[] = JSON.parse(readFileSync('src/api/recorded-objects.json', 'utf8'))
  for (const object of recorded) {
    it(`${object.apiVersion} ${object.kind} is encoded to the same bytes`, () => {
      const type = builtin.kind(String(object.apiVersion), String(object.kind))
      assert.ok(type)
      assert.deepEqual(JSON.parse(encode(type, object).toString()), object)
    })
  }
})

describe('resources', () => {
  const paths = builtin.resources.flatMap(({ kind }) => [
    `${kind.apiVersion}/${kind.resource.plural}`,
    ...Object.keys(kind.resource.subresources).map((name) => `${kind.apiVersion}/${kind.resource.plural}/${name}`),
  ])

  it('are complete, with their subresources, in twenty groups and the core', () => {
    assert.equal(new Set(paths).size, 113)
    assert.equal(builtin.groups.filter(({ served }) => served.length > 0).length, 21)
  })

  it('have declared kinds, and so have their subresources', () => {
    for (const { kind } of builtin.resources)
      for (const [name, { kind: other }] of Object.entries(kind.resource.subresources))
        if (other) assert.ok(builtin.types.get(other)?.kind, `${kind.resource.plural}/${name}`)
  })

  it('have distinct short names', () => {
    const shortNames = builtin.resources
      .filter(({ kind }) => kind.group !== 'events.k8s.io' && kind.apiVersion !== 'autoscaling/v1')
      .flatMap(({ kind }) => kind.resource.shortNames)
    assert.equal(new Set(shortNames).size, shortNames.length)
  })

  it('that can be listed have a list kind and a table', () => {
    for (const { name, kind } of builtin.resources) {
      const { verbs, columns } = kind.resource
      if (!verbs.includes('list')) continue
      assert.equal(builtin.type(`${name}List`).kind?.listOf?.name, name)
      assert.ok(columns.length >= 2, name)
    }
  })
})

function forEveryType(check: (type: ObjectType, given: Record<string, unknown>) => void): void {
  for (const type of types) {
    fc.assert(
      fc.property(arbitraryObject(type), (given) => check(type, given)),
      { numRuns: 20 },
    )
  }
}

/** An object of the type with some field of a possibly wrong type. */
function almost(type: ObjectType): fc.Arbitrary<unknown> {
  const names = ['nope', ...type.field.keys()]
  return fc
    .tuple(arbitraryObject(type), fc.constantFrom(...names), fc.jsonValue({ maxDepth: 2 }))
    .map(([given, name, value]) => ({ ...given, [name]: value }))
}

function refusesInWords(type: ObjectType, given: unknown): void {
  const text = Buffer.from(JSON.stringify(given))
  try {
    decodeJson(type, text, 'Strict')
  } catch (error) {
    assert.match((error as Error).name, /^DecodeError$/)
    assert.match((error as Error).message, /Go (struct field|value)|unknown field|quantit|parsing time|base64/)
  }
}
