import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { ResourceQuota } from '../../api/core/v1/resource-quota.js'
import { readAmounts } from '../../api/quotas/amounts.js'
import { statusOf } from './status.js'

type Texts = Readonly<Record<string, string>>

function status(hard: Texts, before: { hard?: Texts; used?: Texts }, counted: Texts) {
  return statusOf({ metadata: {}, spec: { hard }, status: before } as unknown as ResourceQuota, readAmounts(counted))
}

describe('what is said of a quota', () => {
  const hard = { pods: '4', 'requests.cpu': '1' }
  for (const [what, actual, expected] of [
    [
      'is what was counted',
      status(hard, {}, { pods: '2', 'requests.cpu': '0' }),
      { hard, used: { pods: '2', 'requests.cpu': '0' } },
    ],
    [
      'stays as it is where it is true',
      status(hard, { hard, used: { pods: '2', 'requests.cpu': '500m' } }, { pods: '2', 'requests.cpu': '0.5' }),
      undefined,
    ],
    [
      'follows the limits',
      status(hard, { hard: { pods: '9' }, used: { pods: '2' } }, { pods: '2', 'requests.cpu': '0' }),
      { hard, used: { pods: '2', 'requests.cpu': '0' } },
    ],
    [
      'leaves out what is not limited any more',
      status({ pods: '4' }, { hard, used: { pods: '2', 'requests.cpu': '1' } }, { pods: '2' }),
      { hard: { pods: '4' }, used: { pods: '2' } },
    ],
    [
      'keeps what nobody can count',
      status({ ...hard, 'count/x.y': '3' }, { hard, used: { 'count/x.y': '2' } }, { pods: '1', 'requests.cpu': '0' }),
      { hard: { ...hard, 'count/x.y': '3' }, used: { 'count/x.y': '2', pods: '1', 'requests.cpu': '0' } },
    ],
  ] as const)
    test(what, () => assert.deepEqual(actual, expected))
})
