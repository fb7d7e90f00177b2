import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Pod } from '../../api/core/v1/pod.js'
import type { Taint, Toleration } from '../../api/core/v1/taint.js'
import { formatTime } from '../../schema/values/time.js'
import { deadline } from './deadline.js'

const now = Date.UTC(2026, 0, 1)

/** Seconds before or after now. */
function time(seconds: number): string {
  return formatTime(now + 1000 * seconds)
}

function pod(tolerations: readonly Toleration[], created = -3600): Pod {
  return { metadata: { creationTimestamp: time(created) }, spec: { tolerations }, status: {} } as unknown as Pod
}

function taint(key: string, added?: number): Taint {
  return { key, effect: 'NoExecute', ...(added !== undefined && { timeAdded: time(added) }) }
}

function tolerating(key: string, tolerationSeconds?: number): Toleration {
  return { key, operator: 'Exists', ...(tolerationSeconds !== undefined && { tolerationSeconds }) }
}

const never = Number.POSITIVE_INFINITY

describe('a pod may stay', () => {
  for (const [what, of, taints, expected] of [
    ['for ever without taints', pod([]), [], never],
    ['no longer, if it tolerates a taint not at all', pod([tolerating('b')]), [taint('a')], 0],
    ['for ever, if it tolerates all taints', pod([tolerating('a'), tolerating('b')]), [taint('a'), taint('b')], never],
    ['for as long as it tolerates the taint', pod([tolerating('a', 60)]), [taint('a')], 60],
    ['from when the taint was added', pod([tolerating('a', 60)]), [taint('a', -20)], 40],
    ['from when it was made, if that was later', pod([tolerating('a', 60)], -5), [taint('a', -20)], 55],
    ['no longer, if that time is over', pod([tolerating('a', 60)]), [taint('a', -100)], 0],
    ['no longer, if it tolerates the taint for no time', pod([tolerating('a', 0)]), [taint('a')], 0],
    ['no longer, if it tolerates it for less than no time', pod([tolerating('a', -1)]), [taint('a')], 0],
    [
      'until the first of its times is over',
      pod([tolerating('a', 60), tolerating('b', 30)]),
      [taint('a', -40), taint('b')],
      20,
    ],
    ['by the first toleration that fits', pod([tolerating('a', 60), tolerating('a')]), [taint('a')], 60],
    ['not longer because a clock goes wrong', pod([tolerating('a', 60)]), [taint('a', 500)], 60],
  ] as const)
    test(what, () => assert.equal(deadline(of, taints, now), expected === never ? never : now + 1000 * expected))
})
