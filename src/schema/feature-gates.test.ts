import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { decodeValue } from './decode/decoder.js'
import { ref, string } from './fields.js'
import { declareDefaults, kind, schema } from './schema.js'
import { Scheme } from './scheme.js'
import { declareStrategy } from './strategy.js'

const Hull = kind('boats/v1.Hull', {
  optional: { name: string(1), foil: ref(2, 'boats/v1.Foil', { gate: 'Flying' }) },
  resource: { plural: 'hulls' },
})
const Foil = schema('boats/v1.Foil', { gate: 'Flying', optional: { span: string(1) } })
const Wing = kind('boats/v2alpha1.Wing', {
  gate: 'Flying',
  optional: { span: string(1) },
  resource: { plural: 'wings' },
})
const ListMeta = schema('meta/v1.ListMeta')
const declarations = [Hull, Foil, Wing, ListMeta, declareStrategy(Wing, {}), declareDefaults(Foil, () => {})]
const group = { short: 'boats', name: 'boats', legacy: [], openapi: 'io.boats' }
const grounded = new Scheme({ declarations, groups: [group] })
const flying = new Scheme({ declarations, groups: [group], gates: new Set(['Flying']) })

describe('declarations behind a feature gate', () => {
  test('do not exist while the gate is off: no field, type, resource or version', () => {
    assert.deepEqual(
      grounded.type('boats/v1.Hull').fields.map(({ name }) => name),
      ['name'],
    )
    assert.deepEqual(
      [...grounded.types.keys()].filter((name) => /Foil|Wing/.test(name)),
      [],
    )
    assert.deepEqual(
      grounded.resources.map(({ name }) => name),
      ['boats/v1.Hull'],
    )
    assert.deepEqual(grounded.groups[0]?.served, ['v1'])
    const { object, warnings } = decodeValue(grounded.type('boats/v1.Hull'), { foil: { span: '2m' } }, 'Warn')
    assert.deepEqual([object.foil, warnings], [undefined, ['unknown field "foil"']])
  })

  test('are like all others while the gate is on, and an alpha version comes last', () => {
    const { object, warnings } = decodeValue(flying.type('boats/v1.Hull'), { foil: { span: '2m' } }, 'Strict')
    assert.deepEqual([object.foil, warnings], [{ span: '2m' }, []])
    assert.ok(flying.kind('boats/v2alpha1', 'WingList'))
    assert.deepEqual(flying.groups[0]?.served, ['v1', 'v2alpha1'])
  })

  test('are still there in an extended scheme', () => {
    assert.ok(flying.extend({}).kind('boats/v2alpha1', 'Wing'))
    assert.equal(grounded.extend({}).kind('boats/v2alpha1', 'Wing'), undefined)
  })
})
