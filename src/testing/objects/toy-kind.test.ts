import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { builtin } from '../../api/scheme.js'
import { applyConfiguration } from '../../schema/apply/apply.js'
import { applyTarget } from '../../schema/apply/target.js'
import { declarationsIn, type JsonObject } from '../../schema/declaration.js'
import { decodeJson } from '../../schema/decode/decoder.js'
import { setDefaults } from '../../schema/defaults.js'
import { encode } from '../../schema/encode.js'
import { openapiV2 } from '../../schema/openapi/version2.js'
import { applyStrategicPatch } from '../../schema/patch/strategic-patch.js'
import type { RegistryStrategy } from '../../schema/strategy.js'
import { cellsOf, columnsOf } from '../../schema/table.js'
import { harnessContext } from './kind-harness.js'
import * as toyKind from './toy-kind.js'

const scheme = builtin.extend({ declarations: declarationsIn([toyKind]) })
const boat = scheme.kind('fleet/v1', 'Boat')!

function read(spec: JsonObject): JsonObject {
  const text = JSON.stringify({ apiVersion: 'fleet/v1', kind: 'Boat', metadata: { name: 'proa' }, spec })
  const { object } = decodeJson(boat, Buffer.from(text), 'Strict')
  setDefaults(boat, object)
  return object as JsonObject
}

function complaints(spec: JsonObject, old?: JsonObject): string[] {
  const { validate, validateUpdate } = boat.strategy as unknown as RegistryStrategy<JsonObject>
  const errors = old ? validateUpdate!(read(spec), read(old), harnessContext) : validate!(read(spec), harnessContext)
  return [...errors].map(String)
}

const sails = [{ name: 'main', area: 20 }]

describe('a kind that is declared in one file', () => {
  it('can be found, with its list', () => {
    assert.equal(boat.kind?.apiVersion, 'fleet/v1')
    assert.equal(scheme.kind('fleet/v1', 'BoatList')?.kind?.listOf, boat)
    assert.deepEqual(boat.kind?.resource?.singular, 'boat')
  })

  it('has a TypeScript type', () => {
    const proa: toyKind.Boat = {
      apiVersion: 'fleet/v1',
      kind: 'Boat',
      metadata: { name: 'proa' },
      spec: { sails, rigging: 'Lateen', cargo: { rice: '2k' } },
      status: {},
    }
    assert.equal(proa.spec.rigging, 'Lateen')
  })

  it('is decoded, strictly', () => {
    assert.deepEqual(read({ sails, racing: false, cargo: { rice: '2000' } }).spec, {
      sails,
      cargo: { rice: '2k' },
      rigging: 'CrabClaw',
      minCrew: 1,
      maxCrew: 4,
    })
    assert.throws(() => read({ sails: 'none' }), /Go struct field BoatSpec.spec.sails of type \[\]v1.Sail/)
    assert.throws(() => read({ sails, sail: 1 }), /unknown field "spec.sail"/)
  })

  it('has defaults, those of functions included, that keep what was given', () => {
    assert.equal(read({ sails, minCrew: 0 }).spec && (read({ sails, minCrew: 0 }).spec as JsonObject).minCrew, 0)
    assert.equal((read({ sails, minCrew: 9 }).spec as JsonObject).maxCrew, 9)
  })

  it('is validated on creation, and against the old object on update', () => {
    assert.deepEqual(complaints({ sails }), [])
    assert.deepEqual(
      complaints({
        sails: [{ name: '', area: -1 }],
        rigging: 'Bermuda',
        minCrew: 5,
        maxCrew: 2,
      }),
      [
        'spec.sails[0].name: Required value',
        'spec.sails[0].area: Invalid value: -1: must be positive',
        'spec.rigging: Unsupported value: "Bermuda": supported values: "CrabClaw", "Lateen"',
        'spec.maxCrew: Invalid value: 2: must not be less than minCrew',
      ],
    )
    assert.deepEqual(complaints({ sails: [] }), ['spec.sails: Required value'])
    assert.deepEqual(complaints({ sails, rigging: 'Lateen' }, { sails }), [
      'spec.rigging: Forbidden: may not change once built',
    ])
  })

  it('is encoded canonically, in whatever order it was made', () => {
    const made = { spec: { racing: true, sails }, kind: 'Boat', apiVersion: 'fleet/v1' }
    assert.equal(
      encode(boat, made).toString(),
      '{"kind":"Boat","apiVersion":"fleet/v1","metadata":{},"spec":{"sails":[{"name":"main","area":20}],"racing":true},"status":{}}',
    )
  })

  it('is patched by its merge keys', () => {
    const patch: JsonObject = { spec: { sails: [{ name: 'main', area: 25 }, { name: 'jib' }], flags: ['red'] } }
    const patched = applyStrategicPatch(boat, read({ sails, flags: ['blue'] }), patch) as JsonObject
    assert.deepEqual((patched.spec as JsonObject).sails, [{ name: 'main', area: 25 }, { name: 'jib' }])
    assert.deepEqual((patched.spec as JsonObject).flags, ['red', 'blue'])
  })

  it('is applied: each applier owns its sails, and two who want different ones conflict', () => {
    const target = applyTarget(boat)
    const wants = (manager: string, sail: JsonObject, live?: JsonObject) =>
      applyConfiguration(target, {
        live,
        configuration: { apiVersion: 'fleet/v1', kind: 'Boat', metadata: { name: 'proa' }, spec: { sails: [sail] } },
        manager,
        force: false,
        time: '2026-01-01T00:00:00Z',
      })
    const first = wants('one', { name: 'main', area: 20 })
    const both = wants('two', { name: 'jib' }, first)
    assert.deepEqual((both.spec as JsonObject).sails, [{ name: 'main', area: 20 }, { name: 'jib' }])
    assert.throws(() => wants('two', { name: 'main', area: 21 }, both), {
      message: 'Apply failed with 1 conflict: conflict with "one": .spec.sails[name="main"].area',
    })
  })

  it('is described in OpenAPI', () => {
    const document = openapiV2(scheme, { info: { title: 'Fleet', version: 'v1' } }) as JsonObject
    const definitions = document.definitions as Record<string, JsonObject>
    const name = Object.keys(definitions).find((candidate) => candidate.endsWith('.BoatSpec'))
    assert.ok(name)
    const properties = definitions[name]!.properties as Record<string, JsonObject>
    assert.equal(properties.sails?.['x-kubernetes-patch-merge-key'], 'name')
    assert.deepEqual(properties.sails?.['x-kubernetes-list-map-keys'], ['name'])
  })

  it('has a table', () => {
    const now = Date.UTC(2026, 0, 1, 0, 5)
    const row = { ...read({ sails }), metadata: { name: 'proa', creationTimestamp: '2026-01-01T00:00:00Z' } }
    assert.deepEqual(
      columnsOf(boat).map(({ name }) => name),
      ['Name', 'Rigging', 'Crew', 'Age'],
    )
    assert.deepEqual(cellsOf(boat, row, now), ['proa', 'CrabClaw', '0/4', '5m'])
  })

  it('leaves the scheme that it extends alone', () => {
    assert.equal(builtin.kind('fleet/v1', 'Boat'), undefined)
  })
})
