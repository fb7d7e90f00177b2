import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { setTimeout as realTime } from 'node:timers/promises'
import type { Pod } from '../../api/core/v1/pod.js'
import type { ResourceRequirements } from '../../api/core/v1/resource-requirements.js'
import { CpuSet } from '../../kubelet/cpus/cpu-set.js'
import { idle, script, type TestNodeHarness, until } from './node-harness.js'
import { nodeSuite } from './node-suite.js'

const isUnified = existsSync('/sys/fs/cgroup/cgroup.controllers')

/** A value of a cgroup: where version 1 and version 2 have it. */
async function cgroupValue(
  path: string,
  old: readonly [controller: string, file: string],
  file: string,
): Promise<string> {
  const place = isUnified ? join('/sys/fs/cgroup', path, file) : join('/sys/fs/cgroup', old[0], path, old[1])
  return readFileSync(place, 'utf8').trim()
}

const quotaOf = (path: string) =>
  cgroupValue(path, ['cpu', 'cpu.cfs_quota_us'], 'cpu.max').then((text) => text.split(' ')[0])
const memoryOf = (path: string) => cgroupValue(path, ['memory', 'memory.limit_in_bytes'], 'memory.max')

function podCgroup({ node }: TestNodeHarness, { metadata, status }: Pod): string {
  const classes = { Guaranteed: '', Burstable: 'burstable', BestEffort: 'besteffort' }
  const { qosClass } = status
  return join(node.harness.cgroupParent, 'kubepods', classes[qosClass as keyof typeof classes], `pod${metadata.uid}`)
}

async function containerCgroup(harness: TestNodeHarness, pod: Pod, container: string): Promise<string> {
  return join(podCgroup(harness, pod), await harness.containerId(pod.metadata.name!, container))
}

/** Microseconds of CPU time that a cgroup has used. */
async function used(path: string): Promise<number> {
  const text = await cgroupValue(path, ['cpuacct', 'cpuacct.usage'], 'cpu.stat')
  return isUnified ? Number(/usage_usec (\d+)/.exec(text)![1]) : Number(text) / 1000
}

const resources = (amounts: Readonly<Record<string, string>>): ResourceRequirements => ({
  requests: amounts,
  limits: amounts,
})

/** `--cgroups-per-qos`: pods share the machine as they were promised. */
await nodeSuite('what a pod may use', {
  'ends the container that wants more memory than it may have': async (harness) => {
    // containerd hears from the kernel what was killed: from when it has said that the container started, and an end that
    // it hears of first has no reason. So this one begins after its start was told, and outlives what was killed.
    const words =
      'until [ -e /go ]; do sleep 0.1; done; dd if=/dev/zero of=/dev/null bs=96M count=1; code=$?; sleep 1; exit $code'
    const greedy = script('greedy', words, {
      resources: { limits: { memory: '24Mi' } },
      lifecycle: { postStart: { exec: { command: ['touch', '/go'] } } },
    })
    await harness.once('p', greedy, script('modest', 'echo fine'))
    const { status } = await harness.over('p')
    assert.equal(status.phase, 'Failed')
    const ended = Object.fromEntries(status.containerStatuses!.map(({ name, state }) => [name, state!.terminated!]))
    assert.deepEqual([ended.greedy!.reason, ended.greedy!.exitCode], ['OOMKilled', 137])
    assert.equal(ended.modest!.reason, 'Completed')
  },

  'is no more of a core than its limit says': async (harness) => {
    await harness.run('p', {
      containers: [script('busy', 'while :; do :; done', { resources: resources({ cpu: '100m', memory: '32Mi' }) })],
    })
    const pod = await harness.ready('p')
    const path = await containerCgroup(harness, pod, 'busy')
    assert.equal(await quotaOf(path), '10000')
    const began = performance.now()
    const before = await used(path)
    await realTime(1500)
    const share = (await used(path)) - before
    const whole = (performance.now() - began) * 1000
    assert.ok(share > 0 && share < 0.3 * whole, `${share} of ${whole} microseconds`)
  },

  'follows from its class of service': async (harness) => {
    const classes = {
      Guaranteed: resources({ cpu: '200m', memory: '32Mi' }),
      Burstable: { requests: { cpu: '100m', memory: '16Mi' }, limits: { memory: '64Mi' } },
      BestEffort: {},
    }
    for (const [name, of] of Object.entries(classes))
      await harness.run(name.toLowerCase(), { containers: [script('c', idle, { resources: of })] })
    const [guaranteed, burstable, bestEffort] = await Promise.all(
      Object.keys(classes).map((name) => harness.ready(name.toLowerCase())),
    )
    assert.deepEqual(
      [guaranteed, burstable, bestEffort].map((pod) => pod!.status.qosClass),
      Object.keys(classes),
    )
    const limits = async (pod: Pod) => [await quotaOf(podCgroup(harness, pod)), await memoryOf(podCgroup(harness, pod))]
    assert.deepEqual(await limits(guaranteed!), ['20000', String(32 * 2 ** 20)])
    assert.equal((await limits(burstable!))[1], String(64 * 2 ** 20))
    assert.equal(await memoryOf(await containerCgroup(harness, burstable!, 'c')), String(64 * 2 ** 20))
    const unlimited = isUnified ? 'max' : '-1'
    assert.equal((await limits(bestEffort!))[0], unlimited)
    const path = podCgroup(harness, bestEffort!)
    await harness.pods.delete('besteffort')
    await harness.gone('besteffort')
    await until(async () => !existsSync(join('/sys/fs/cgroup', isUnified ? '' : 'memory', path)))
  },

  'is refused where the node has not got it': async (harness) => {
    await harness.run('p', {
      containers: [script('c', idle, { resources: resources({ cpu: '4000', memory: '1Mi' }) })],
    })
    const { status } = await harness.over('p')
    assert.deepEqual([status.phase, status.reason], ['Failed', 'OutOfcpu'])
    assert.match(
      status.message ?? '',
      /^Pod was rejected: Node didn't have enough resource: cpu, requested: 4000000, used: \d+, capacity: \d+$/,
    )
  },
})

const few = availableParallelism() < 2 && 'exclusive cores take two of them'

/** `--cpu-manager-policy=static`. */
await nodeSuite(
  'with the static policy',
  {
    'a guaranteed container has whole cores alone, and others go elsewhere': async (harness) => {
      const allowed = async (name: string) =>
        /Cpus_allowed_list:\s+(\S+)/.exec(await harness.exec(name, 'c', 'cat /proc/1/status'))![1]
      await harness.run('shared', { containers: [script('c', idle)] })
      await harness.ready('shared')
      const all = await allowed('shared')
      const whole = resources({ cpu: '1', memory: '16Mi' })
      await harness.run('alone', { containers: [script('c', idle, { resources: whole })] })
      const alone = await harness.ready('alone')
      const own = await allowed('alone')
      assert.match(own!, /^\d+$/)
      await until(async () => !CpuSet.parse((await allowed('shared'))!).has(Number(own)))
      // Nobody is in its way: nothing has to be held back.
      assert.equal(await quotaOf(podCgroup(harness, alone)), isUnified ? 'max' : '-1')
      const state = JSON.parse(readFileSync(join(harness.node.identity.rootFolder, 'cpu_manager_state'), 'utf8'))
      assert.deepEqual(state.entries, { [alone.metadata.uid!]: { c: own } })

      await harness.node.restart()
      assert.equal(await allowed('alone'), own)

      const tooMany = resources({ cpu: String(availableParallelism() - 1), memory: '16Mi' })
      await harness.run('late', { containers: [script('c', idle, { resources: tooMany })] })
      const { status } = await harness.over('late')
      assert.equal(status.reason, 'UnexpectedAdmissionError')
      assert.match(status.message ?? '', /not enough cpus available to satisfy request: requested=\d+, available=\d+/)

      await harness.pods.delete('alone')
      await harness.gone('alone')
      await until(async () => (await allowed('shared')) === all)
    },
  },
  { skip: few, settings: { cpus: { policy: 'static' }, node: { systemReserved: { cpu: '1' } } } },
)

/** What the kubelet tells of itself. */
await nodeSuite('the kubelet of a node', {
  'shows its settings, its health and its numbers': async (harness) => {
    const probe = { exec: { command: ['true'] }, periodSeconds: 1 }
    await harness.run('p', { containers: [script('c', idle, { readinessProbe: probe })] })
    await harness.ready('p')
    const { kubeletconfig } = JSON.parse(await harness.kubelet('configz'))
    assert.deepEqual(
      [kubeletconfig.cpuManagerPolicy, kubeletconfig.syncFrequency, kubeletconfig.cgroupRoot, kubeletconfig.clusterDNS],
      ['none', '20s', harness.node.harness.cgroupParent, ['10.96.0.10']],
    )
    assert.match(
      await harness.kubelet('healthz?verbose'),
      /^\[\+\]ping ok\n\[\+\]log ok\n\[\+\]syncloop ok\nhealthz check passed\n$/,
    )
    assert.match(
      await harness.kubelet('metrics/probes'),
      /prober_probe_total\{probe_type="Readiness",container="c",pod="p",namespace="test-0",result="successful"/,
    )
    const metrics = await harness.kubelet('metrics')
    assert.match(metrics, /kubelet_running_pods/)
    assert.doesNotMatch(metrics, /prober_probe_total\{/)
    const { items } = JSON.parse(await harness.kubelet('pods')) as { items: readonly Pod[] }
    assert.ok(items.some(({ metadata, status }) => metadata.name === 'p' && status.phase === 'Running'))
  },
})
