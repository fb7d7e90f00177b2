import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Node } from '../../api/core/v1/node.js'
import type { Pod } from '../../api/core/v1/pod.js'
import type { Taint, Toleration } from '../../api/core/v1/taint.js'
import { formatTime } from '../../schema/values/time.js'
import { deadline, decide, type EvictionObservation } from './decide.js'

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
    ['no longer, if it does not tolerate a taint', pod([tolerating('b')]), [taint('a')], 0],
    ['for ever, if it tolerates all taints', pod([tolerating('a'), tolerating('b')]), [taint('a'), taint('b')], never],
    ['for as long as it tolerates the taint', pod([tolerating('a', 60)]), [taint('a')], 60],
    ['from when the taint was added', pod([tolerating('a', 60)]), [taint('a', -20)], 40],
    ['from when it was created, if that was later', pod([tolerating('a', 60)], -5), [taint('a', -20)], 55],
    ['no longer, if that time is over', pod([tolerating('a', 60)]), [taint('a', -100)], 0],
    ['no longer, if it tolerates the taint for no time', pod([tolerating('a', 0)]), [taint('a')], 0],
    ['no longer, if it tolerates the taint for a negative time', pod([tolerating('a', -1)]), [taint('a')], 0],
    [
      'until the first of its tolerations ends',
      pod([tolerating('a', 60), tolerating('b', 30)]),
      [taint('a', -40), taint('b')],
      20,
    ],
    ['by the first toleration that fits', pod([tolerating('a', 60), tolerating('a')]), [taint('a')], 60],
    ['not longer if the taint is from the future', pod([tolerating('a', 60)]), [taint('a', 500)], 60],
  ] as const)
    test(what, () => assert.equal(deadline(of, taints, now), expected === never ? never : now + 1000 * expected))
})

describe('the decision about a pod', () => {
  const node = { spec: { taints: [taint('a')] } } as unknown as Node
  const bound = (tolerations: readonly Toleration[]): Pod => {
    const { spec, ...rest } = pod(tolerations)
    return { ...rest, spec: { ...spec, nodeName: 'n' } } as Pod
  }
  const decision = (options: Partial<EvictionObservation>) =>
    decide({ key: 'default/p', pod: bound([]), node, scheduled: undefined, now, ...options })

  test('is to evict it at once if it does not tolerate the taint', () => {
    assert.deepEqual(decision({}), { do: 'evict', pod: bound([]), replacesPlan: false, late: 0 })
  })

  test('is to wait for the end of its toleration', () => {
    const tolerant = bound([tolerating('a', 60)])
    assert.deepEqual(decision({ pod: tolerant }), { do: 'wait', until: now + 60_000 })
    assert.deepEqual(decision({ pod: tolerant, scheduled: now + 5_000 }), { do: 'wait', until: now + 5_000 })
    assert.equal(decision({ pod: tolerant, scheduled: now - 5_000 }).do, 'evict')
  })

  test('counts from the planned time how late the eviction is', () => {
    assert.deepEqual(decision({ scheduled: now - 3_000 }), {
      do: 'evict',
      pod: bound([]),
      replacesPlan: false,
      late: 3_000,
    })
    assert.deepEqual(decision({ scheduled: now + 3_000 }), { do: 'evict', pod: bound([]), replacesPlan: true, late: 0 })
  })

  test('is to cancel a planned eviction if the pod may stay, or is gone', () => {
    assert.deepEqual(decision({ pod: bound([tolerating('a')]), scheduled: now }), { do: 'cancel' })
    assert.deepEqual(decision({ pod: undefined, scheduled: now }), { do: 'cancel' })
  })

  test('stands if the node is gone', () => {
    assert.deepEqual(decision({ node: undefined, scheduled: now + 1 }), { do: 'wait', until: now + 1 })
    assert.deepEqual(decision({ node: undefined }), { do: 'cancel' })
  })

  test('is to forget a pod that is being deleted', () => {
    const deleted = { ...bound([]), metadata: { deletionTimestamp: time(0) } } as Pod
    assert.deepEqual(decision({ pod: deleted, scheduled: now }), { do: 'forget' })
  })
})
