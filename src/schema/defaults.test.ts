import assert from 'node:assert/strict'
import { it } from 'node:test'
import { decodeValue } from './decode/decoder.js'
import { setDefaults } from './defaults.js'
import { bool, int32, list, map, ref, string } from './fields.js'
import { declareDefaults, schema } from './schema.js'
import { Scheme } from './scheme.js'

interface Crew {
  readonly size?: number
  readonly captain?: string
}

const Boat = schema('fleet/v1.Boat', {
  optional: {
    sails: int32(1, { default: 1 }),
    oars: int32(2, { default: 2, keepZero: true }),
    name: string(3, { default: '' }),
    motto: string(4, { default: '', always: 'null' }),
    ports: list(5, string, { default: ['Hagåtña'] }),
    crew: ref<Crew>(6, 'fleet/v1.Crew'),
    others: map(7, ref<Crew>('fleet/v1.Crew')),
    tenders: list(8, ref<object>('fleet/v1.Boat')),
    racing: bool(9),
  },
})
const crewSchema = schema('fleet/v1.Crew', { optional: { size: int32(1, { default: 4 }), captain: string(2) } })
const crewDefaults = declareDefaults<Crew>(crewSchema, (crew) => {
  if (crew.size === 1) crew.captain ??= 'self'
})
const boat = new Scheme({ declarations: [Boat, crewSchema, crewDefaults], groups: [] }).type('fleet/v1.Boat')

function defaulted(given: object): Record<string, unknown> {
  const { object } = decodeValue(boat, given, 'Strict')
  setDefaults(boat, object)
  return object
}

const usual = { sails: 1, oars: 2, motto: '', ports: ['Hagåtña'] }

it('fills in absent fields, and zero fields where zero counts as absent', () => {
  assert.deepEqual(defaulted({}), usual)
  assert.deepEqual(defaulted({ sails: 0, oars: 0 }), { ...usual, oars: 0 })
})

it('keeps the values that the client sent', () => {
  const given = { sails: 3, oars: 1, motto: 'on', ports: ['Apia'], name: 'Flying' }
  assert.deepEqual(defaulted(given), given)
})

it('a default that equals the zero is only set where zero and absent differ', () => {
  assert.equal('name' in defaulted({}), false)
  assert.equal(defaulted({}).motto, '')
})

it('sets defaults inside objects, maps, lists and recursive types', () => {
  assert.deepEqual(defaulted({ crew: {}, others: { a: { size: 2 } }, tenders: [{}] }), {
    ...usual,
    crew: { size: 4 },
    others: { a: { size: 2 } },
    tenders: [usual],
  })
})

it('runs declared functions before the defaults of fields', () => {
  assert.deepEqual(defaulted({ crew: { size: 1 } }).crew, { size: 1, captain: 'self' })
  assert.deepEqual(defaulted({ crew: {} }).crew, { size: 4 })
})

it('never shares a default between two objects', () => {
  assert.notEqual(defaulted({}).ports, defaulted({}).ports)
})
