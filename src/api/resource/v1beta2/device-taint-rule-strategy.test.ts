import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { KindHarness } from '../../../testing/objects/kind-harness.js'

const resourcePoolStatusRequests = new KindHarness('resource/v1alpha3.ResourcePoolStatusRequest')
const kind = new KindHarness('resource/v1beta2.DeviceTaintRule')
const taint = { key: 'example.com/broken', effect: 'NoExecute' }

describe('device taint rules', () => {
  const rule = kind.create({ spec: { taint } })

  it('say since when', () => {
    assert.deepEqual(rule.errors, [])
    assert.equal((rule.object.spec as { taint: { timeAdded: string } }).taint.timeAdded, '2024-01-01T00:00:00Z')
  })

  it('choose devices by their names', () => {
    const { errors } = kind.create({
      spec: { taint: { key: '', effect: '' }, deviceSelector: { driver: '', pool: '', device: 'D' } },
    })
    assert.deepEqual(errors.slice(0, 2), [
      'spec.deviceSelector.driver: Required value',
      'spec.deviceSelector.pool: Required value',
    ])
    assert.match(errors[2]!, /^spec\.deviceSelector\.device: Invalid value: "D"/)
    assert.match(errors[3]!, /^spec\.taint\.key: Invalid value: "": name part must be non-empty/)
    assert.equal(errors.at(-1), 'spec.taint.effect: Required value')
  })

  it('have eight conditions at most', () => {
    const condition = { status: 'True', reason: 'A', message: '', lastTransitionTime: '2024-01-01T00:00:00Z' }
    const conditions = Array.from({ length: 9 }, (_, i) => ({ ...condition, type: `T${i}` }))
    assert.deepEqual(kind.update(rule, { status: { conditions } }, 'status').errors, [
      'status.conditions: Too many: 9: must have at most 8 items',
    ])
  })
})

describe('requests for the status of pools', () => {
  it('ask once, about a driver, for a hundred pools', () => {
    const request = resourcePoolStatusRequests.create({ metadata: {}, spec: { driver: 'a.b' } })
    assert.deepEqual([request.errors, (request.object.spec as { limit: number }).limit], [[], 100])
    assert.match(
      resourcePoolStatusRequests.update(request, { spec: { limit: 5 } }).errors.join(),
      /^spec: Invalid value: .*: field is immutable$/,
    )
    assert.deepEqual(resourcePoolStatusRequests.create({ metadata: {}, spec: { driver: '', limit: 0 } }).errors, [
      'spec.driver: Required value',
      'spec.limit: Invalid value: 0: must be greater than or equal to 1',
    ])
  })
})
