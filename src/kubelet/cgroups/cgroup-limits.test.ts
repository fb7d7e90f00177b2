import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Container } from '../../api/core/v1/container.js'
import type { PodSpec } from '../../api/core/v1/pod/spec.js'
import { testContainer, testPod } from '../containers/pod.test.kit.js'
import {
  allocatableLimits,
  type CgroupLimits,
  type LimitSettings,
  podLimits,
  settingsOfVersion1,
  settingsOfVersion2,
} from './cgroup-limits.js'
import { cpuQuota, cpuShares, cpuWeight, milliCpuOfShares, sharesOfWeight } from './cpu-values.js'

const settings: LimitSettings = { cpuQuota: true, cpuPeriod: 100_000, processes: undefined, hugePageSizes: [] }
const mebibyte = 2 ** 20

describe('the limits of a pod', () => {
  const full = { requests: { cpu: '1', memory: '8Mi' }, limits: { cpu: '1', memory: '8Mi' } }
  const table: readonly (readonly [what: string, spec: Partial<PodSpec>, limits: CgroupLimits])[] = [
    ['nothing said: the least weight, no limit', {}, { cpuShares: 2 }],
    [
      'all limited: the sum',
      { containers: [container(full), container({ ...full, limits: { cpu: '500m', memory: '8Mi' } }, 'd')] },
      { cpuShares: 2048, cpuQuota: 150_000, cpuPeriod: 100_000, memory: 16 * mebibyte },
    ],
    [
      'only one limited: no limit for both',
      { containers: [container(full), container({ requests: { cpu: '250m' } }, 'd')] },
      { cpuShares: 1280 },
    ],
    [
      'an init container counts by itself',
      {
        containers: [container(full)],
        initContainers: [container({ ...full, limits: { cpu: '3', memory: '4Mi' } }, 'i')],
      },
      { cpuShares: 1024, cpuQuota: 300_000, cpuPeriod: 100_000, memory: 8 * mebibyte },
    ],
    [
      'an init container without limits leaves all without',
      { containers: [container(full)], initContainers: [container({}, 'i')] },
      { cpuShares: 1024 },
    ],
    [
      'what a pod says as a whole counts',
      { containers: [container({})], resources: { requests: { cpu: '2' }, limits: { memory: '64Mi' } } },
      { cpuShares: 2048, memory: 64 * mebibyte },
    ],
    [
      'what it costs to have a pod is added, to limits where there are any',
      {
        containers: [container({ requests: { cpu: '1' }, limits: { memory: '8Mi' } })],
        overhead: { cpu: '1', memory: '1Mi' },
      },
      { cpuShares: 2048, memory: 9 * mebibyte },
    ],
  ]
  for (const [what, spec, limits] of table)
    test(what, () => assert.deepEqual(podLimits(testPod(spec), settings), { ...limits, hugePages: new Map() }))

  test('no quota if it is not enforced or the CPUs are exclusive', () => {
    const pod = testPod({ containers: [container(full)] })
    assert.equal(podLimits(pod, { ...settings, cpuQuota: false }).cpuQuota, -1)
    assert.equal(podLimits(pod, settings, true).cpuQuota, -1)
  })

  test('huge pages and processes', () => {
    const asking = { requests: { 'hugepages-2Mi': '4Mi' }, limits: { 'hugepages-2Mi': '4Mi' } }
    const limits = podLimits(testPod({ containers: [container(asking), container(asking, 'd')] }), {
      ...settings,
      processes: 100,
      hugePageSizes: ['2MB', '1GB'],
    })
    assert.equal(limits.processes, 100)
    assert.deepEqual(
      [...(limits.hugePages ?? [])],
      [
        ['2MB', 8 * mebibyte],
        ['1GB', 0],
      ],
    )
  })

  test('all pods together get the allocatable resources', () => {
    const limits = allocatableLimits({ cpu: '3500m', memory: '1Gi', pid: '1000', 'hugepages-2Mi': '4Mi' }, ['2MB'])
    assert.deepEqual(limits, {
      cpuShares: 3584,
      memory: 2 ** 30,
      processes: 1000,
      hugePages: new Map([['2MB', 4 * mebibyte]]),
    })
  })
})

describe("limits in the kernel's notation", () => {
  const limits = {
    cpuShares: 1024,
    cpuQuota: 50_000,
    cpuPeriod: 100_000,
    memory: 4096,
    processes: 7,
    hugePages: new Map([['2MB', 0]]),
  }
  const lines = (list: readonly { controller: string; file: string; value: string }[]) =>
    list.map(({ controller, file, value }) => `${controller} ${file} ${value}`)

  test('cgroup version 1', () => {
    assert.deepEqual(lines(settingsOfVersion1(limits)), [
      'cpu cpu.shares 1024',
      'cpu cpu.cfs_period_us 100000',
      'cpu cpu.cfs_quota_us 50000',
      'memory memory.limit_in_bytes 4096',
      'pids pids.max 7',
      'hugetlb hugetlb.2MB.limit_in_bytes 0',
    ])
  })

  test('cgroup version 2', () => {
    assert.deepEqual(lines(settingsOfVersion2(limits)), [
      'cpu cpu.weight 39',
      'cpu cpu.max 50000 100000',
      'memory memory.max 4096',
      'pids pids.max 7',
      'hugetlb hugetlb.2MB.max 0',
    ])
    assert.deepEqual(lines(settingsOfVersion2({ cpuQuota: -1, cpuPeriod: 100_000 })), ['cpu cpu.max max 100000'])
  })

  test('undefined limits are not written', () => {
    assert.deepEqual([...settingsOfVersion1({}), ...settingsOfVersion2({})], [])
  })

  test('shares, weights and quotas', () => {
    assert.deepEqual([0, 1, 2, 100, 1000, 1e9].map(cpuShares), [2, 2, 2, 102, 1024, 262_144])
    assert.deepEqual([2, 1024, 262_144].map(cpuWeight), [1, 39, 10_000])
    assert.deepEqual([1, 39, 10_000].map(sharesOfWeight), [2, 998, 262_144])
    assert.deepEqual([2, 102, 1024].map(milliCpuOfShares), [0, 100, 1000])
    assert.deepEqual(
      [0, 1, 5, 10, 1500].map((cpu) => cpuQuota(cpu)),
      [0, 1000, 1000, 1000, 150_000],
    )
  })
})

function container(resources: Container['resources'], name = 'c'): Container {
  return testContainer({ name, resources: resources ?? {} })
}
