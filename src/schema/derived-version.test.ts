import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Declaration } from './declaration.js'
import { derivedVersion } from './derived-version.js'
import { enumeration, int32, list, map, oneOf, ref, string } from './fields.js'
import { declareDefaults, declareTable, kind, schema } from './schema.js'
import { Scheme } from './scheme.js'
import { declareStrategy } from './strategy.js'

const Wood = enumeration('boats/v1.Wood', ['Teak', 'Oak'])
const Hull = kind('boats/v1.Hull', {
  required: { wood: oneOf(1, Wood) },
  optional: {
    planks: list(2, ref<object>('boats/v1.Plank')),
    harbors: map(3, ref<object>('ports/v1.Harbor'), { goType: 'map[v1.Name]v1.Harbor' }),
  },
  resource: { plural: 'hulls' },
})
const Plank = schema('boats/v1.Plank', { required: { length: int32(1) }, optional: { note: string(2) } })
const Harbor = schema('ports/v1.Harbor')
const originals: readonly Declaration[] = [
  Hull,
  Plank,
  declareDefaults<{ note?: string }>(Plank, (plank) => {
    plank.note ??= 'new'
  }),
  declareTable<object>(Hull, {}),
  declareStrategy<object>(Hull, { validate: () => [] }),
]

function linked(...derived: readonly Declaration[]): Scheme {
  const ListMeta = schema('meta/v1.ListMeta')
  return new Scheme({ declarations: [...originals, Harbor, ListMeta, ...derived], groups: [] })
}

describe('a derived version', () => {
  it('has the types of the original version, which refer to each other and not to the original ones', () => {
    const scheme = linked(...derivedVersion('boats/v1beta1', originals))
    const hull = scheme.type('boats/v1beta1.Hull')
    assert.deepEqual(
      hull.fields.map(({ name, tag, required }) => [name, tag, required]),
      scheme.type('boats/v1.Hull').fields.map(({ name, tag, required }) => [name, tag, required]),
    )
    assert.deepEqual(hull.field.get('planks')!.type, {
      is: 'list',
      of: { is: 'object', object: scheme.type('boats/v1beta1.Plank') },
    })
    assert.deepEqual(hull.field.get('wood')!.type, { ...Wood.type, name: 'boats/v1beta1.Wood' })
  })

  it('refers to types of other groups as the original version does', () => {
    const scheme = linked(...derivedVersion('boats/v1beta1', originals))
    const { type } = scheme.type('boats/v1beta1.Hull').field.get('harbors')!
    assert.deepEqual(type, { is: 'map', of: { is: 'object', object: scheme.type('ports/v1.Harbor') } })
  })

  it('names Go types after its own version', () => {
    const scheme = linked(...derivedVersion('boats/v1beta1', originals))
    const { options } = scheme.type('boats/v1beta1.Hull').field.get('harbors')!
    assert.equal(options.goType, 'map[v1beta1.Name]v1beta1.Harbor')
  })

  it('has the defaults of the original version, but neither its table nor its validation', () => {
    const scheme = linked(...derivedVersion('boats/v1beta1', originals))
    assert.equal(scheme.type('boats/v1beta1.Plank').defaults, scheme.type('boats/v1.Plank').defaults)
    const { table, strategy } = scheme.type('boats/v1beta1.Hull')
    assert.deepEqual([table, strategy.validate], [undefined, undefined])
  })

  it('is not served, has list kinds, and is stored in the original version', () => {
    const scheme = linked(...derivedVersion('boats/v1beta1', originals))
    const { kind: derived, strategy } = scheme.type('boats/v1beta1.Hull')
    assert.equal(derived!.resource, undefined)
    assert.ok(scheme.kind('boats/v1beta1', 'HullList'))
    const hull = { wood: 'Oak' }
    assert.equal(strategy.stored!.type, 'boats/v1.Hull')
    assert.equal(strategy.stored!.toStored(hull as never), hull)
  })

  it('may differ in fields, enumerations and whole types', () => {
    const Sail = schema('boats/v1beta1.Sail')
    const scheme = linked(
      ...derivedVersion('boats/v1beta1', originals, {
        shared: ['Wood'],
        fields: { Plank: { length: string(7), width: int32(8) } },
        declarations: [Sail],
      }),
    )
    assert.equal((scheme.type('boats/v1beta1.Hull').field.get('wood')!.type as { name: string }).name, 'boats/v1.Wood')
    assert.deepEqual(
      scheme.type('boats/v1beta1.Plank').fields.map(({ name, type, required }) => [name, type.is, required]),
      [
        ['note', 'string', false],
        ['length', 'string', true],
        ['width', 'int32', false],
      ],
    )
    assert.ok(scheme.type('boats/v1beta1.Sail'))
  })

  it('may lack types, with what is attached to them', () => {
    const derived = derivedVersion('boats/v1beta1', [Plank, originals[2]!], { without: ['Plank'] })
    assert.deepEqual(derived, [])
  })

  it('may have a type of another form in place of a derived one, with a conversion', () => {
    const Short = kind('boats/v1beta1.Hull', { optional: { kind: string(1) } })
    const toStored = () => ({ wood: 'Teak' })
    const scheme = linked(
      ...derivedVersion('boats/v1beta1', originals, {
        declarations: [Short],
        conversions: { Hull: { toStored, fromStored: () => ({}) } },
      }),
    )
    assert.deepEqual(
      scheme.type('boats/v1beta1.Hull').fields.map(({ name }) => name),
      ['kind'],
    )
    assert.equal(scheme.type('boats/v1beta1.Hull').strategy.stored!.toStored, toStored)
  })

  it('is derived from one version only', () => {
    assert.throws(() => derivedVersion('boats/v1beta1', [Hull, Harbor]), /the types of one version/)
  })
})
