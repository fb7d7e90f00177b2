import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { ResourceQuota } from '../../api/core/v1/resource-quota.js'
import { readAmounts } from '../../api/quotas/amounts.js'
import { decide } from './decide.js'

type Texts = Readonly<Record<string, string>>

function status(hard: Texts, before: { hard?: Texts; used?: Texts }, counted: Texts) {
  const quota = { metadata: {}, spec: { hard }, status: before } as unknown as ResourceQuota
  return decide({ quota, counted: readAmounts(counted) }).status
}

describe('the status of a quota', () => {
  const hard = { pods: '4', 'requests.cpu': '1' }
  for (const [what, actual, expected] of [
    [
      'holds what was counted',
      status(hard, {}, { pods: '2', 'requests.cpu': '0' }),
      { hard, used: { pods: '2', 'requests.cpu': '0' } },
    ],
    [
      'is not written if it is right',
      status(hard, { hard, used: { pods: '2', 'requests.cpu': '500m' } }, { pods: '2', 'requests.cpu': '0.5' }),
      undefined,
    ],
    [
      'follows the limits of the spec',
      status(hard, { hard: { pods: '9' }, used: { pods: '2' } }, { pods: '2', 'requests.cpu': '0' }),
      { hard, used: { pods: '2', 'requests.cpu': '0' } },
    ],
    [
      'leaves out what is no longer limited',
      status({ pods: '4' }, { hard, used: { pods: '2', 'requests.cpu': '1' } }, { pods: '2' }),
      { hard: { pods: '4' }, used: { pods: '2' } },
    ],
    [
      'keeps the last value of what cannot be counted',
      status({ ...hard, 'count/x.y': '3' }, { hard, used: { 'count/x.y': '2' } }, { pods: '1', 'requests.cpu': '0' }),
      { hard: { ...hard, 'count/x.y': '3' }, used: { 'count/x.y': '2', pods: '1', 'requests.cpu': '0' } },
    ],
  ] as const)
    test(what, () => assert.deepEqual(actual, expected))
})
