import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { JsonObject } from '../../../schema/declaration.js'
import { decodeValue } from '../../../schema/decode/decoder.js'
import { setDefaults } from '../../../schema/defaults.js'
import { canonicalObject } from '../../../schema/encode.js'
import { builtin } from '../../scheme.js'

/** What is kept of an object in an older version, and what that version shows of it afterwards. */
function roundTrip(name: string, given: JsonObject): { stored: JsonObject; shown: JsonObject; given: JsonObject } {
  const type = builtin.type(name)
  const { object } = decodeValue(type, given, 'Strict')
  setDefaults(type, object)
  const { stored } = type.strategy as unknown as {
    stored: { type: string; toStored(o: object): object; fromStored(o: object): object }
  }
  const kept = canonicalObject(builtin.type(stored.type), stored.toStored(object))
  return {
    stored: kept as JsonObject,
    shown: canonicalObject(type, stored.fromStored(kept)) as JsonObject,
    given: canonicalObject(type, object) as JsonObject,
  }
}

describe('the first beta of resource claims', () => {
  const exact = { name: 'a', deviceClassName: 'c', tolerations: [{ key: 'k', operator: 'Exists' }] }
  const first = { name: 'b', firstAvailable: [{ name: 'x', deviceClassName: 'c' }] }
  const claim = { spec: { devices: { requests: [exact, first] } } }

  it('has requests whose parts are kept apart', () => {
    const { stored } = roundTrip('resource/v1beta1.ResourceClaim', claim)
    assert.deepEqual((stored.spec as { devices: JsonObject }).devices.requests, [
      {
        name: 'a',
        exactly: {
          deviceClassName: 'c',
          allocationMode: 'ExactCount',
          count: 1,
          tolerations: [{ key: 'k', operator: 'Exists' }],
        },
      },
      { name: 'b', firstAvailable: [{ name: 'x', deviceClassName: 'c', allocationMode: 'ExactCount', count: 1 }] },
    ])
  })

  it('shows afterwards what it was given', () => {
    const { shown, given } = roundTrip('resource/v1beta1.ResourceClaim', claim)
    assert.deepEqual(shown, given)
    const template = roundTrip('resource/v1beta1.ResourceClaimTemplate', { spec: claim })
    assert.deepEqual(template.shown, template.given)
  })

  it('has devices whose parts are kept together', () => {
    const pool = { name: 'p', generation: 1, resourceSliceCount: 1 }
    const devices = [{ name: 'd', basic: { attributes: { a: { int: 5 } } } }]
    const { stored, shown, given } = roundTrip('resource/v1beta1.ResourceSlice', {
      spec: { driver: 'x.y', pool, nodeName: 'n', devices },
    })
    assert.deepEqual((stored.spec as JsonObject).devices, [{ name: 'd', attributes: { a: { int: 5 } } }])
    assert.deepEqual(shown, given)
  })
})

describe('versions that have the form of what is kept', () => {
  it('hand objects through', () => {
    const { stored, shown, given } = roundTrip('resource/v1beta2.DeviceClass', {
      spec: { extendedResourceName: 'a.b/c' },
    })
    assert.deepEqual(stored.spec, { extendedResourceName: 'a.b/c' })
    assert.deepEqual(shown, given)
  })
})
