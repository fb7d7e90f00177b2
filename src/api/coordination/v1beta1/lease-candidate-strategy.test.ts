import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { KindHarness } from '../../../testing/objects/kind-harness.js'

const leaseCandidates = new KindHarness('coordination/v1beta1.LeaseCandidate')
const spec = {
  leaseName: 'scheduler',
  binaryVersion: '1.36.0',
  emulationVersion: '1.35.0',
  strategy: 'OldestEmulationVersion',
}

function problemsOf(change: object): readonly string[] {
  return leaseCandidates.create({ spec: { ...spec, ...change } }).errors
}

describe('lease candidates', () => {
  it('say for which lease they stand, and in which versions', () => {
    assert.deepEqual(problemsOf({}), [])
    assert.deepEqual(problemsOf({ leaseName: '', binaryVersion: '' }), [
      'spec.leaseName: Required value',
      'spec.binaryVersion: Required value',
    ])
  })

  it('do not emulate the future', () => {
    assert.deepEqual(problemsOf({ binaryVersion: '1.34.9' }), [
      'spec.binaryVersion: Invalid value: "1.34.9": must be greater than or equal to `emulationVersion`',
    ])
  })

  it('have versions that are versions', () => {
    assert.deepEqual(problemsOf({ binaryVersion: 'v1.36', emulationVersion: '' }), [
      'spec.binaryVersion: Invalid value: "v1.36": must be a valid semantic version',
      "spec.emulationVersion: Required value: must be specified when `strategy` is 'OldestEmulationVersion'",
    ])
  })

  it('stand for one lease only', () => {
    const candidate = leaseCandidates.create({ spec })
    assert.deepEqual(leaseCandidates.update(candidate, { spec: { leaseName: 'other' } }).errors, [
      'spec.leaseName: Invalid value: "other": field is immutable',
    ])
  })
})
