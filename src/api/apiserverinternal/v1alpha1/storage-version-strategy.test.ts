import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { KindHarness } from '../../../testing/objects/kind-harness.js'

const kind = new KindHarness('apiserverinternal/v1alpha1.StorageVersion')
const version = kind.create({ metadata: { name: 'apps.deployments' } })
const server = { apiServerID: 'a', encodingVersion: 'apps/v1', decodableVersions: ['apps/v1'] }

function problemsOf(status: object): readonly string[] {
  return kind.update(version, { status: { ...status } }, 'status').errors
}

describe('storage versions', () => {
  it('are named after a group and a resource', () => {
    const { name } = kind.strategy
    assert.deepEqual(name!('apps.deployments', false), [])
    assert.deepEqual(name!('deployments', false), ['name must be in the form of <group>.<resource>'])
    assert.match(name!('apps.Deployments', false).join(), /^the resource segment a DNS-1035 label/)
  })

  it('say what all servers write, if they agree', () => {
    assert.deepEqual(problemsOf({ storageVersions: [server], commonEncodingVersion: 'apps/v1' }), [])
    assert.deepEqual(problemsOf({ storageVersions: [server] }), [
      'status.commonEncodingVersion: Invalid value: null: the common encoding version is apps/v1',
    ])
    assert.deepEqual(problemsOf({ commonEncodingVersion: 'v1' }), [
      'status.commonEncodingVersion: Invalid value: "v1": should be nil if servers do not agree on the same encoding version, or if there is no server reporting the supported versions yet',
    ])
  })

  it('are read by whoever writes or serves them', () => {
    const odd = { ...server, encodingVersion: 'apps/v2', servedVersions: ['apps/v3'] }
    assert.deepEqual(problemsOf({ storageVersions: [odd], commonEncodingVersion: 'apps/v2' }), [
      'status.storageVersions[0].decodableVersions: Invalid value: ["apps/v1"]: decodableVersions must include encodingVersion apps/v2',
      'status.storageVersions[0].servedVersions[0]: Invalid value: "apps/v3": individual served version : apps/v3 must be included in decodableVersions : [apps/v1]',
    ])
    assert.deepEqual(
      problemsOf({
        storageVersions: [{ ...server, encodingVersion: '/', decodableVersions: ['/'] }],
        commonEncodingVersion: '/',
      })[0],
      'status.storageVersions[0].encodingVersion: Invalid value: "/": group part: must be non-empty,version part: must be non-empty',
    )
  })
})
