import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Container } from '../../../api/core/v1/container.js'
import type { PodSpec } from '../../../api/core/v1/pod/spec.js'
import { testContainer, testPod } from '../pod.test.kit.js'
import { testContainerHost } from './container-host.test.kit.js'
import {
  type ContainerResourceRequest,
  containerResources,
  sandboxResources,
  usualResourceSettings,
} from './linux-resources.js'
import { oomScore } from './oom-score.js'

const gibibyte = 2 ** 30

describe('the resources of a container', () => {
  const table: readonly (readonly [
    what: string,
    resources: Container['resources'],
    expected: readonly [shares: number, quota: number, memory: number, oom: number],
  ])[] = [
    ['nothing said', {}, [2, 0, 0, 1000]],
    ['a request of CPU', { requests: { cpu: '250m' } }, [256, 0, 0, 999]],
    ['a limit of CPU stands for a request', { limits: { cpu: '500m' } }, [512, 50_000, 0, 999]],
    ['a request of no CPU', { requests: { cpu: '0' }, limits: { cpu: '1' } }, [2, 100_000, 0, 999]],
    ['a tiny limit of CPU is one millisecond', { limits: { cpu: '1m' } }, [2, 1000, 0, 999]],
    ['an immense one', { requests: { cpu: '1000' } }, [262_144, 0, 0, 999]],
    ['memory', { requests: { memory: '1Gi' }, limits: { memory: '2Gi' } }, [2, 0, 2 * gibibyte, 750]],
    ['nearly all memory', { requests: { memory: '4Gi' } }, [2, 0, 0, 3]],
    [
      'the same asked for and limited',
      { requests: { cpu: '1', memory: '1Gi' }, limits: { cpu: '1', memory: '1Gi' } },
      [1024, 100_000, gibibyte, -997],
    ],
  ]
  for (const [what, resources, [cpuShares, cpuQuota, memoryLimitInBytes, oomScoreAdj]] of table)
    test(what, () => {
      const used = usedBy({ resources: resources ?? {} })
      assert.deepEqual(
        [used.cpuShares, used.cpuQuota, used.memoryLimitInBytes, used.oomScoreAdj],
        [cpuShares, cpuQuota, memoryLimitInBytes, oomScoreAdj],
      )
    })

  test('fall back to the limits of the pod', () => {
    const used = usedBy({}, { resources: { limits: { cpu: '2', memory: '1Gi' } } })
    assert.deepEqual([used.cpuShares, used.cpuQuota, used.memoryLimitInBytes], [2048, 200_000, gibibyte])
  })

  test('have no quota without enforcement or with exclusive CPUs', () => {
    const resources = { limits: { cpu: '1' } }
    const settings = { ...usualResourceSettings, cpuQuota: false }
    assert.equal(usedBy({ resources }, {}, { settings }).cpuQuota, undefined)
    const exclusive = usedBy({ resources }, {}, { hasExclusiveCpus: true, cpus: '2-3' })
    assert.deepEqual([exclusive.cpuQuota, exclusive.cpusetCpus], [-1, '2-3'])
    const slow = usedBy({ resources }, {}, { settings: { ...usualResourceSettings, cpuPeriod: 10_000 } })
    assert.deepEqual([slow.cpuQuota, slow.cpuPeriod], [10_000, 10_000])
  })

  test('huge pages: the requested ones, and none of other sizes', () => {
    const { hugepageLimits } = usedBy({ resources: { limits: { 'hugepages-2Mi': '6Mi' } } })
    assert.deepEqual(hugepageLimits, [
      { pageSize: '2MB', limit: 6 * 2 ** 20 },
      { pageSize: '1GB', limit: 0 },
    ])
  })

  test("the OOM score is not lower than the process's own without the capability", () => {
    const resources = { limits: { cpu: '1', memory: '1Gi' }, requests: { cpu: '1', memory: '1Gi' } }
    assert.equal(usedBy({ resources }, {}, { host: testContainerHost({ lowestOomScore: 100 }) }).oomScoreAdj, 100)
    assert.equal(usedBy({}, {}, { host: testContainerHost({ lowestOomScore: 100 }) }).oomScoreAdj, 1000)
  })

  test('version 2 kills whole containers by default', () => {
    const host = testContainerHost({ cgroups: 2 })
    assert.deepEqual(usedBy({}, {}, { host }).unified, { 'memory.oom.group': '1' })
    const settings = { ...usualResourceSettings, killsSingleProcess: true }
    assert.deepEqual(usedBy({}, {}, { host, settings }).unified, {})
    assert.deepEqual(usedBy({}).unified, {})
  })

  test('swap: none, or in proportion to the memory request', () => {
    const resources = { requests: { memory: '1Gi' }, limits: { memory: '2Gi' } }
    const v1 = testContainerHost({ hasSwapController: true })
    assert.equal(usedBy({ resources }, {}, { host: v1 }).memorySwapLimitInBytes, 2 * gibibyte)
    const v2 = testContainerHost({ cgroups: 2, hasSwapController: true, swap: 2 * gibibyte })
    const swapOf = (settings: Partial<typeof usualResourceSettings>, spec: Partial<PodSpec> = {}) =>
      usedBy({ resources }, spec, { host: v2, settings: { ...usualResourceSettings, ...settings } }).unified?.[
        'memory.swap.max'
      ]
    assert.equal(swapOf({}), '0')
    assert.equal(swapOf({ swap: 'LimitedSwap' }), String(gibibyte / 2))
    assert.equal(swapOf({ swap: 'LimitedSwap' }, { priority: 2_000_000_000 }), '0')
    assert.equal('memorySwapLimitInBytes' in usedBy({ resources }), false)
  })

  test('a sandbox gets the sum and the overhead', () => {
    const pod = testPod({
      containers: [
        testContainer({ resources: { requests: { cpu: '500m' }, limits: { memory: '1Gi' } } }),
        testContainer({ name: 'b', resources: { requests: { cpu: '500m' }, limits: { memory: '1Gi' } } }),
      ],
      overhead: { cpu: '250m', memory: '64Mi' },
    })
    const { resources, overhead } = sandboxResources(pod, testContainerHost(), {
      settings: usualResourceSettings,
      hasExclusiveCpus: false,
    })
    assert.deepEqual([resources.cpuShares, resources.cpuQuota, resources.memoryLimitInBytes], [1024, 0, 2 * gibibyte])
    assert.deepEqual([overhead.cpuShares, overhead.cpuQuota, overhead.memoryLimitInBytes], [256, 25_000, 64 * 2 ** 20])
  })
})

describe('the OOM score', () => {
  const memory = 4 * gibibyte
  const asking = (amount: string, more: Partial<Container> = {}) =>
    testContainer({ resources: { requests: { memory: amount } }, ...more })

  test('of a sidecar is not higher than that of its main containers', () => {
    const side = asking('1Mi', { name: 'side', restartPolicy: 'Always' })
    const pod = testPod({ initContainers: [side], containers: [asking('1Gi'), asking('2Gi', { name: 'd' })] })
    assert.equal(oomScore(pod, side, memory), 750)
    const large = asking('3Gi', { name: 'side', restartPolicy: 'Always' })
    assert.equal(oomScore(testPod({ ...pod.spec, initContainers: [large] }), large, memory), 250)
  })

  test('considers pod-level requests for all containers alike', () => {
    const containers = [asking('1Gi'), testContainer({ name: 'd' })]
    const pod = testPod({ containers, resources: { requests: { memory: '3Gi' } } })
    assert.deepEqual(
      containers.map((container) => oomScore(pod, container, memory)),
      [500, 750],
    )
  })

  test('of critical pods is the lowest', () => {
    const critical = { priority: 2_000_001_000, priorityClassName: 'system-node-critical' }
    assert.equal(oomScore(testPod(critical), testContainer(), memory), -997)
    const cluster = { priority: 2_000_000_000, priorityClassName: 'system-cluster-critical' }
    assert.equal(oomScore(testPod(cluster), testContainer(), memory), 1000)
  })
})

function usedBy(
  container: Partial<Container>,
  spec: Partial<PodSpec> = {},
  more: Partial<ContainerResourceRequest> = {},
) {
  const one = testContainer(container)
  return containerResources({
    pod: testPod({ containers: [one], ...spec }),
    container: one,
    host: testContainerHost(),
    settings: usualResourceSettings,
    cpus: '',
    hasExclusiveCpus: false,
    ...more,
  })
}
