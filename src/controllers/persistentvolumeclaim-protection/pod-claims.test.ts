import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { PersistentVolumeClaim } from '../../api/core/v1/persistent-volume-claim.js'
import type { Pod } from '../../api/core/v1/pod.js'
import { claimNamesOfPod, usesClaim } from './pod-claims.js'

const direct = { name: 'v', persistentVolumeClaim: { claimName: 'data' } }
const own = { name: 'data', ephemeral: {} }

function pod(volumes: readonly object[], options: { nodeName?: string; metadata?: object } = {}): Pod {
  const { nodeName = 'one', metadata } = options
  return { metadata: { name: 'p', uid: '7', ...metadata }, spec: { nodeName, volumes } } as unknown as Pod
}

function claim(name: string, owner?: string): PersistentVolumeClaim {
  const ownerReferences = owner === undefined ? [] : [{ uid: owner, controller: true }]
  return { metadata: { name, ownerReferences } } as unknown as PersistentVolumeClaim
}

describe('a pod', () => {
  const ended = { metadata: { deletionTimestamp: 'then', deletionGracePeriodSeconds: 0 } }
  for (const [what, isSo, expected] of [
    ['uses the claim that it names', usesClaim(pod([direct]), claim('data')), true],
    ['uses no other claim', usesClaim(pod([direct]), claim('other')), false],
    ['uses no claim before it is bound to a node', usesClaim(pod([direct], { nodeName: '' }), claim('data')), false],
    ['uses its claim until its object is gone', usesClaim(pod([direct], ended), claim('data')), true],
    ['uses the claim that was created for its ephemeral volume', usesClaim(pod([own]), claim('p-data', '7')), true],
    ['does not use a claim of that name that another pod owns', usesClaim(pod([own]), claim('p-data', '8')), false],
    ['does not use a claim of that name that nobody owns', usesClaim(pod([own]), claim('p-data')), false],
    ['releases its own claim when the kubelet has ended it', usesClaim(pod([own], ended), claim('p-data', '7')), false],
  ] as const)
    test(what, () => assert.equal(isSo, expected))

  test('names persistent and ephemeral claims', () =>
    assert.deepEqual([...claimNamesOfPod(pod([direct, own]))], ['data', 'p-data']))
})
