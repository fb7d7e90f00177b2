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

async function containerCgroup(trial: TestNodeHarness, pod: Pod, container: string): Promise<string> {
  return join(podCgroup(trial, pod), await trial.containerId(pod.metadata.name!, container))
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
  'ends the container that wants more memory than it may have': async (trial) => {
    // containerd hears from the kernel what was killed: from when it has said that the container started, and an end that
    // it hears of first has no reason. So this one begins after its start was told, and outlives what was killed.
    const words =
      'until [ -e /go ]; do sleep 0.1; done; dd if=/dev/zero of=/dev/null bs=96M count=1; code=$?; sleep 1; exit $code'
    const greedy = script('greedy', words, {
      resources: { limits: { memory: '24Mi' } },
      lifecycle: { postStart: { exec: { command: ['touch', '/go'] } } },
    })
    await trial.once('p', greedy, script('modest', 'echo fine'))
    const { status } = await trial.over('p')
    assert.equal(status.phase, 'Failed')
    const ended = Object.fromEntries(status.containerStatuses!.map(({ name, state }) => [name, state!.terminated!]))
    assert.deepEqual([ended.greedy!.reason, ended.greedy!.exitCode], ['OOMKilled', 137])
    assert.equal(ended.modest!.reason, 'Completed')
  },

  'is no more of a core than its limit says': async (trial) => {
    await trial.run('p', {
      containers: [script('busy', 'while :; do :; done', { resources: resources({ cpu: '100m', memory: '32Mi' }) })],
    })
    const pod = await trial.ready('p')
    const path = await containerCgroup(trial, pod, 'busy')
    assert.equal(await quotaOf(path), '10000')
    const began = performance.now()
    const before = await used(path)
    await realTime(1500)
    const share = (await used(path)) - before
    const whole = (performance.now() - began) * 1000
    assert.ok(share > 0 && share < 0.3 * whole, `${share} of ${whole} microseconds`)
  },

  'follows from its class of service': async (trial) => {
    const classes = {
      Guaranteed: resources({ cpu: '200m', memory: '32Mi' }),
      Burstable: { requests: { cpu: '100m', memory: '16Mi' }, limits: { memory: '64Mi' } },
      BestEffort: {},
    }
    for (const [name, of] of Object.entries(classes))
      await trial.run(name.toLowerCase(), { containers: [script('c', idle, { resources: of })] })
    const [guaranteed, burstable, bestEffort] = await Promise.all(
      Object.keys(classes).map((name) => trial.ready(name.toLowerCase())),
    )
    assert.deepEqual(
      [guaranteed, burstable, bestEffort].map((pod) => pod!.status.qosClass),
      Object.keys(classes),
    )
    const limits = async (pod: Pod) => [await quotaOf(podCgroup(trial, pod)), await memoryOf(podCgroup(trial, pod))]
    assert.deepEqual(await limits(guaranteed!), ['20000', String(32 * 2 ** 20)])
    assert.equal((await limits(burstable!))[1], String(64 * 2 ** 20))
    assert.equal(await memoryOf(await containerCgroup(trial, burstable!, 'c')), String(64 * 2 ** 20))
    const unlimited = isUnified ? 'max' : '-1'
    assert.equal((await limits(bestEffort!))[0], unlimited)
    const path = podCgroup(trial, bestEffort!)
    await trial.pods.delete('besteffort')
    await trial.gone('besteffort')
    await until(async () => !existsSync(join('/sys/fs/cgroup', isUnified ? '' : 'memory', path)))
  },

  'is refused where the node has not got it': async (trial) => {
    await trial.run('p', { containers: [script('c', idle, { resources: resources({ cpu: '4000', memory: '1Mi' }) })] })
    const { status } = await trial.over('p')
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
    'a guaranteed container has whole cores alone, and others go elsewhere': async (trial) => {
      const allowed = async (name: string) =>
        /Cpus_allowed_list:\s+(\S+)/.exec(await trial.exec(name, 'c', 'cat /proc/1/status'))![1]
      await trial.run('shared', { containers: [script('c', idle)] })
      await trial.ready('shared')
      const all = await allowed('shared')
      const whole = resources({ cpu: '1', memory: '16Mi' })
      await trial.run('alone', { containers: [script('c', idle, { resources: whole })] })
      const alone = await trial.ready('alone')
      const own = await allowed('alone')
      assert.match(own!, /^\d+$/)
      await until(async () => !CpuSet.parse((await allowed('shared'))!).has(Number(own)))
      // Nobody is in its way: nothing has to be held back.
      assert.equal(await quotaOf(podCgroup(trial, alone)), isUnified ? 'max' : '-1')
      const state = JSON.parse(readFileSync(join(trial.node.identity.rootFolder, 'cpu_manager_state'), 'utf8'))
      assert.deepEqual(state.entries, { [alone.metadata.uid!]: { c: own } })

      await trial.node.restart()
      assert.equal(await allowed('alone'), own)

      const tooMany = resources({ cpu: String(availableParallelism() - 1), memory: '16Mi' })
      await trial.run('late', { containers: [script('c', idle, { resources: tooMany })] })
      const { status } = await trial.over('late')
      assert.equal(status.reason, 'UnexpectedAdmissionError')
      assert.match(status.message ?? '', /not enough cpus available to satisfy request: requested=\d+, available=\d+/)

      await trial.pods.delete('alone')
      await trial.gone('alone')
      await until(async () => (await allowed('shared')) === all)
    },
  },
  { skip: few, settings: { cpus: { policy: 'static' }, node: { systemReserved: { cpu: '1' } } } },
)

/** What the kubelet tells of itself. */
await nodeSuite('the kubelet of a node', {
  'shows its settings, its health and its numbers': async (trial) => {
    const probe = { exec: { command: ['true'] }, periodSeconds: 1 }
    await trial.run('p', { containers: [script('c', idle, { readinessProbe: probe })] })
    await trial.ready('p')
    const { kubeletconfig } = JSON.parse(await trial.kubelet('configz'))
    assert.deepEqual(
      [kubeletconfig.cpuManagerPolicy, kubeletconfig.syncFrequency, kubeletconfig.cgroupRoot, kubeletconfig.clusterDNS],
      ['none', '20s', trial.node.harness.cgroupParent, ['10.96.0.10']],
    )
    assert.match(
      await trial.kubelet('healthz?verbose'),
      /^\[\+\]ping ok\n\[\+\]log ok\n\[\+\]syncloop ok\nhealthz check passed\n$/,
    )
    assert.match(
      await trial.kubelet('metrics/probes'),
      /prober_probe_total\{probe_type="Readiness",container="c",pod="p",namespace="test-0",result="successful"/,
    )
    const metrics = await trial.kubelet('metrics')
    assert.match(metrics, /kubelet_running_pods/)
    assert.doesNotMatch(metrics, /prober_probe_total\{/)
    const { items } = JSON.parse(await trial.kubelet('pods')) as { items: readonly Pod[] }
    assert.ok(items.some(({ metadata, status }) => metadata.name === 'p' && status.phase === 'Running'))
  },
})
