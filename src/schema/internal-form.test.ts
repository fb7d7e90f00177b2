import assert from 'node:assert/strict'
import { it } from 'node:test'
import { int32, list, map, ref, string } from './fields.js'
import { internalForm } from './internal-form.js'
import { schema } from './schema.js'

interface Sail {
  readonly area: number
}

const Sail = schema('fleet/v1.Sail', { required: { area: int32(1) } })
const Boat = schema('fleet/v1.Boat', {
  required: { name: string(2) },
  optional: {
    apiGroup: string(1),
    uid: string(3, { keepZero: true }),
    sails: list(4, ref<Sail>('fleet/v1.Sail')),
    mast: ref<Sail>(5, 'fleet/v1.Sail'),
    keel: ref<Sail>(6, 'fleet/v1.Sail', { always: true }),
    cargo: map(7, string),
  },
})
const shown = internalForm(Boat, Sail)

it('an object prints every field in the order of the protobuf numbers, with the names of Go', () => {
  assert.equal(
    JSON.stringify(shown({ name: 'x', sails: [{ area: 5 }], cargo: { a: 'b' } })),
    '{"APIGroup":"","Name":"x","UID":null,"Sails":[{"Area":5}],"Mast":null,"Keel":{"Area":0},"Cargo":{"a":"b"}}',
  )
})

it('an absent field is null where Go has a pointer, and zero where Go has a value', () => {
  assert.deepEqual(shown({}), {
    APIGroup: '',
    Name: '',
    UID: null,
    Sails: null,
    Mast: null,
    Keel: { Area: 0 },
    Cargo: null,
  })
})
