import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { PersistentVolumeClaim } from '../../api/core/v1/persistent-volume-claim.js'
import type { Pod } from '../../api/core/v1/pod.js'
import { claimNames, uses } from './pod-claims.js'

const direct = { name: 'v', persistentVolumeClaim: { claimName: 'data' } }
const own = { name: 'data', ephemeral: {} }

function pod(volumes: readonly object[], parts: { nodeName?: string; metadata?: object } = {}): Pod {
  const { nodeName = 'one', metadata } = parts
  return { metadata: { name: 'p', uid: '7', ...metadata }, spec: { nodeName, volumes } } as unknown as Pod
}

function claim(name: string, owner?: string): PersistentVolumeClaim {
  const ownerReferences = owner === undefined ? [] : [{ uid: owner, controller: true }]
  return { metadata: { name, ownerReferences } } as unknown as PersistentVolumeClaim
}

describe('a pod', () => {
  const ended = { metadata: { deletionTimestamp: 'then', deletionGracePeriodSeconds: 0 } }
  for (const [what, isSo, expected] of [
    ['uses the claim that it names', uses(pod([direct]), claim('data')), true],
    ['uses no other claim', uses(pod([direct]), claim('other')), false],
    ['uses nothing before it is on a node', uses(pod([direct], { nodeName: '' }), claim('data')), false],
    ['uses its claim while it is still there', uses(pod([direct], ended), claim('data')), true],
    ['uses the claim that was made for it', uses(pod([own]), claim('p-data', '7')), true],
    ['does not use one of that name that was made for another', uses(pod([own]), claim('p-data', '8')), false],
    ['does not use one of that name that nobody was given', uses(pod([own]), claim('p-data')), false],
    [
      'lets go of its own claim when the kubelet has let go of it',
      uses(pod([own], ended), claim('p-data', '7')),
      false,
    ],
  ] as const)
    test(what, () => assert.equal(isSo, expected))

  test('names claims of both kinds', () => assert.deepEqual([...claimNames(pod([direct, own]))], ['data', 'p-data']))
})
