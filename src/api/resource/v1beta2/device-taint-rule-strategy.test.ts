import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { created, patched } from '../../../testing/written-object.js'

const kind = 'resource/v1beta2.DeviceTaintRule'
const taint = { key: 'example.com/broken', effect: 'NoExecute' }

describe('device taint rules', () => {
  const rule = created(kind, { spec: { taint } })

  it('say since when', () => {
    assert.deepEqual(rule.problems, [])
    assert.equal((rule.object.spec as { taint: { timeAdded: string } }).taint.timeAdded, '2024-01-01T00:00:00Z')
  })

  it('choose devices by their names', () => {
    const { problems } = created(kind, {
      spec: { taint: { key: '', effect: '' }, deviceSelector: { driver: '', pool: '', device: 'D' } },
    })
    assert.deepEqual(problems.slice(0, 2), [
      'spec.deviceSelector.driver: Required value',
      'spec.deviceSelector.pool: Required value',
    ])
    assert.match(problems[2]!, /^spec\.deviceSelector\.device: Invalid value: "D"/)
    assert.match(problems[3]!, /^spec\.taint\.key: Invalid value: "": name part must be non-empty/)
    assert.equal(problems.at(-1), 'spec.taint.effect: Required value')
  })

  it('have eight conditions at most', () => {
    const condition = { status: 'True', reason: 'A', message: '', lastTransitionTime: '2024-01-01T00:00:00Z' }
    const conditions = Array.from({ length: 9 }, (_, i) => ({ ...condition, type: `T${i}` }))
    assert.deepEqual(patched(rule, { status: { conditions } }, 'status').problems, [
      'status.conditions: Too many: 9: must have at most 8 items',
    ])
  })
})

describe('requests for the status of pools', () => {
  it('ask once, about a driver, for a hundred pools', () => {
    const request = created('resource/v1alpha3.ResourcePoolStatusRequest', { metadata: {}, spec: { driver: 'a.b' } })
    assert.deepEqual([request.problems, (request.object.spec as { limit: number }).limit], [[], 100])
    assert.match(
      patched(request, { spec: { limit: 5 } }).problems.join(),
      /^spec: Invalid value: .*: field is immutable$/,
    )
    assert.deepEqual(
      created('resource/v1alpha3.ResourcePoolStatusRequest', { metadata: {}, spec: { driver: '', limit: 0 } }).problems,
      ['spec.driver: Required value', 'spec.limit: Invalid value: 0: must be greater than or equal to 1'],
    )
  })
})
