import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { KindHarness } from '../../../../testing/objects/kind-harness.js'

const kind = new KindHarness('resource/v1.DeviceClass')

function problemsOf(spec: object): readonly string[] {
  return kind.create({ spec: { ...spec } }).errors
}

describe('device classes', () => {
  it('choose devices by expressions of a sane length', () => {
    assert.deepEqual(problemsOf({ selectors: [{ cel: { expression: 'true' } }] }), [])
    assert.deepEqual(problemsOf({ selectors: [{}, { cel: { expression: 'x'.repeat(10_241) } }] }), [
      'spec.selectors[0].cel: Required value',
      'spec.selectors[1].cel.expression: Too long: may not be more than 10240 bytes',
    ])
  })

  it('may stand for a resource that nobody else has', () => {
    assert.deepEqual(problemsOf({ extendedResourceName: 'example.com/gpu' }), [])
    for (const wrong of ['cpu', 'kubernetes.io/gpu', 'requests.example.com/gpu', 'example.com/'])
      assert.deepEqual(problemsOf({ extendedResourceName: wrong }), [
        `spec.extendedResourceName: Invalid value: "${wrong}": must be a valid extended resource name`,
      ])
  })

  it('increment the generation with their spec', () => {
    const old = kind.create({ spec: {} })
    const changed = kind.update(old, { spec: { selectors: [{ cel: { expression: 'true' } }] } })
    assert.equal((changed.object.metadata as { generation: number }).generation, 2)
  })

  it('keep parameters from before there was a limit', () => {
    const config = [{ opaque: { driver: 'a.b', parameters: { x: 'y'.repeat(10_240) } } }]
    const old = kind.create({ spec: { config } })
    assert.deepEqual(old.errors, ['spec.config[0].opaque.parameters: Too long: may not be more than 10240 bytes'])
    assert.deepEqual(kind.update(old, { metadata: { labels: { a: 'b' } } }).errors, [])
  })
})
