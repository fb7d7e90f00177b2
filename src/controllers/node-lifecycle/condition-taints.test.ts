import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Node } from '../../api/core/v1/node.js'
import type { Taint } from '../../api/core/v1/taint.js'
import { changed } from '../nodes/taints.js'
import { labelsToChange, taintsToChange } from './condition-taints.js'

function node(
  conditions: Readonly<Record<string, string>>,
  taints: readonly Taint[] = [],
  unschedulable = false,
): Node {
  const all = Object.entries(conditions).map(([type, status]) => ({ type, status }))
  return { metadata: { name: 'n' }, spec: { taints, unschedulable }, status: { conditions: all } } as unknown as Node
}

const taint = (key: string, effect: Taint['effect'] = 'NoSchedule'): Taint => ({
  key: `node.kubernetes.io/${key}`,
  effect,
})

test('a node has the taints of its conditions, and those that others gave it', () => {
  const others = [{ key: 'mine', effect: 'NoSchedule' } as const, taint('not-ready', 'NoExecute')]
  const { add, remove } = taintsToChange(
    node({ Ready: 'Unknown', MemoryPressure: 'True', DiskPressure: 'Unknown' }, [...others, taint('not-ready')], true),
  )
  assert.deepEqual(add, [taint('unreachable'), taint('memory-pressure'), taint('unschedulable')])
  assert.deepEqual(remove, [taint('not-ready')])
})

test('taints that are there keep their time, and nothing is written when nothing changes', () => {
  const old = { ...taint('unreachable'), timeAdded: 'then' }
  assert.equal(changed([old], { add: [taint('unreachable')], remove: [taint('not-ready')], now: 'now' }), undefined)
  assert.deepEqual(changed([old], { add: [taint('not-ready')], remove: [taint('unreachable')], now: 'now' }), [
    { ...taint('not-ready'), timeAdded: 'now' },
  ])
})

test('the old names of labels follow the new ones', () => {
  const os = 'kubernetes.io/os'
  assert.deepEqual(labelsToChange({ [os]: 'linux' }), { [`beta.${os}`]: 'linux' })
  assert.deepEqual(labelsToChange({ [os]: 'linux', [`beta.${os}`]: 'windows' }), { [`beta.${os}`]: 'linux' })
  assert.deepEqual(labelsToChange({ [`beta.${os}`]: 'linux' }), {})
  assert.deepEqual(labelsToChange({ [os]: 'linux', [`beta.${os}`]: 'linux' }), {})
})
