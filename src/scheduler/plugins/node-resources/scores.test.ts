import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { NodeInfo } from '../../cache/node-info.js'
import type { PodInfo } from '../../cache/pod-info.js'
import type { PodScorer } from '../../framework/plugin.js'
import { cluster, node, pod, scores, testPlugin } from '../plugins.test.kit.js'
import { balancedAllocation } from './balanced-allocation.js'
import { leastAllocated, mostAllocated, requestedToCapacityRatio } from './scoring-strategies.js'

const there = (requests: Readonly<Record<string, string>>) => ({
  allocatable: { cpu: '4', memory: '8Gi', 'example.com/gpu': '4' },
  pods: [pod('there', { requests })],
})
const half = node('half', there({ cpu: '2', memory: '4Gi' }))
const lopsided = node('lopsided', there({ cpu: '3', memory: '1Gi' }))
const small = pod('small', { requests: { cpu: '1', memory: '2Gi' } })

function by(strategy: (pod: PodInfo) => PodScorer, asking: PodInfo, ...nodes: readonly NodeInfo[]) {
  return scores({ name: 'test', preScore: strategy }, asking, cluster(...nodes))
}

describe('a resource strategy', () => {
  test('LeastAllocated scores what is left', () =>
    assert.deepEqual(by(leastAllocated(), small, half, lopsided), { half: 25, lopsided: 31 }))

  test('MostAllocated scores what is used', () =>
    assert.deepEqual(by(mostAllocated(), small, half, lopsided), { half: 75, lopsided: 68 }))

  test('applies the weights of resources', () => {
    const weights = [
      { name: 'cpu', weight: 3 },
      { name: 'memory', weight: 1 },
    ]
    // Of the lopsided node all CPU and 3 of 8 GiB are used.
    assert.deepEqual(by(mostAllocated(weights), small, lopsided), { lopsided: Math.floor((300 + 37) / 4) })
    assert.deepEqual(by(leastAllocated(weights), small, lopsided), { lopsided: Math.floor((0 + 62) / 4) })
  })

  test('skips extended resources that the pod does not request', () => {
    const gpu = [{ name: 'example.com/gpu', weight: 1 }]
    const wanting = pod('wanting', { requests: { 'example.com/gpu': '1' } })
    for (const strategy of [leastAllocated, mostAllocated])
      assert.deepEqual(by(strategy(gpu), small, half), { half: 0 })
    assert.deepEqual(by(leastAllocated(gpu), wanting, half), { half: 75 })
    assert.deepEqual(by(mostAllocated(gpu), wanting, half), { half: 25 })
  })

  test('counts defaults for a container without requests', () => {
    const silent = pod('silent')
    const tiny = node('tiny', { allocatable: { cpu: '1', memory: '400Mi' } })
    assert.deepEqual(by(leastAllocated(), silent, tiny), { tiny: (90 + 50) / 2 })
  })
})

describe('RequestedToCapacityRatio', () => {
  const shape = [
    { utilization: 0, score: 0 },
    { utilization: 50, score: 10 },
    { utilization: 100, score: 0 },
  ]
  const cpu = [{ name: 'cpu', weight: 1 }]
  const using = (milliCpu: number) => pod('p', { requests: { cpu: `${milliCpu}m` } })
  const empty = node('n', { allocatable: { cpu: '1' } })
  const cases: readonly (readonly [number, number])[] = [
    [250, 50],
    [500, 100],
    [750, 50],
    [1000, 0],
    [2000, 0],
  ]
  for (const [milliCpu, expected] of cases)
    test(`scores a node with ${milliCpu}m of one CPU in use by its curve`, () =>
      assert.deepEqual(by(requestedToCapacityRatio(shape, cpu), using(milliCpu), empty), { n: expected }))

  test('leaves out resources with score 0', () => {
    const both = [...cpu, { name: 'memory', weight: 1 }]
    const full = node('n', { allocatable: { cpu: '1', memory: '1Gi' } })
    const asking = pod('p', { requests: { cpu: '500m', memory: '1Gi' } })
    assert.deepEqual(by(requestedToCapacityRatio(shape, both), asking, full), { n: 100 })
  })
})

describe('NodeResourcesBalancedAllocation', () => {
  test('scores nodes with equal shares highest', () =>
    // Half: 3/4 of both. Lopsided: all CPU, 3/8 of the memory, so half of the difference, 31.25 %, is missing.
    assert.deepEqual(scores(testPlugin(balancedAllocation), small, cluster(half, lopsided)), {
      half: 100,
      lopsided: 68,
    }))

  test('uses the standard deviation of three or more resources', () => {
    const resources = ['cpu', 'memory', 'example.com/gpu'].map((name) => ({ name, weight: 1 }))
    const asking = pod('p', { requests: { cpu: '1', memory: '2Gi', 'example.com/gpu': '1' } })
    // Shares 3/4, 3/4, 1/4: their standard deviation is 0.2357.
    assert.deepEqual(scores(testPlugin(balancedAllocation, { resources }), asking, cluster(half)), { half: 76 })
  })

  test('does not score pods without requests', () =>
    assert.equal(scores(testPlugin(balancedAllocation), pod('p'), cluster(half)), undefined))
})
