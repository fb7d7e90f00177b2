import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { Container } from '../../api/core/v1/container.js'
import type { PodSpec } from '../../api/core/v1/pod/spec.js'
import type { Pod } from '../../api/core/v1/pod.js'
import { environment } from '../../base/environment.js'
import { mountsIn } from '../../cri/containerd/leftovers.js'
import { containersMissing } from '../../testing/containers/container-packages.js'
import { containerdUnderTest } from '../../testing/containers/containerd-runtime.js'
import type { RuntimeUnderTest } from '../../testing/cri/contract/runtime-under-test.js'
import { podCgroups } from '../cgroups/kubelet-cgroups.js'
import type { PodCgroups } from '../cgroups/pod-cgroups.js'
import { type CpuManager, cpuManager, type PodOnCpus } from '../cpus/cpu-manager.js'
import { hostTopology } from '../cpus/cpu-topology.js'
import { mountsFor } from '../volumes/mounts.js'
import type { MountedVolumes } from '../volumes/volumes.js'
import type { ContainerConfigs } from './container-configs.js'
import { configObjects } from './environment/config-objects.test.kit.js'
import { bindMountsFrom } from './mounts/bind-mounts.js'
import { testContainer, testPod } from './pod.test.kit.js'
import { containerConfigs } from './pod-container-configs.js'
import { readContainerHost } from './resources/container-host.js'

const missing = await containersMissing()

describe('containers of a real containerd', { skip: missing ?? false }, () => {
  const mounts = mountsFor()
  let harness: RuntimeUnderTest
  let configs: ContainerConfigs
  let cgroups: PodCgroups
  let manager: CpuManager
  let pods = 0

  before(async () => {
    harness = await containerdUnderTest()
    writeFileSync(join(harness.folder, 'resolv.conf'), 'nameserver 192.0.2.1\n')
    cgroups = podCgroups({ environment: environment(), root: harness.cgroupParent })
    const rootFolder = join(harness.folder, 'kubelet')
    manager = cpuManager({ runtime: harness.runtime, identity: { rootFolder }, reserved: 1 })
    configs = containerConfigs({
      environment: environment(),
      identity: {
        nodeName: 'n1',
        rootFolder,
        podLogsFolder: join(harness.folder, 'pod-logs'),
        hostAddresses: ['192.0.2.7'],
        clusterDomain: 'cluster.local',
        clusterDns: ['10.0.0.10'],
      },
      events: { record: () => {} },
      configObjects: configObjects({ secrets: { s: { a: 'from secret' } } }),
      services: { isSynced: true, synced: Promise.resolve(), get: () => undefined, by: () => [] },
      cgroups,
      host: readContainerHost(),
      allocatable: () => ({}),
      bindMounts: bindMountsFrom(mounts),
      cpus: manager,
      settings: { resolverFile: join(harness.folder, 'resolv.conf') },
    })
  })
  after(async () => {
    mounts.close()
    await harness.close()
  })

  test('have a hostname and a resolver', async () => {
    const spec = { hostname: 'me', subdomain: 'sub', hostAliases: [{ ip: '1.2.3.4', hostnames: ['a.example', 'b'] }] }
    const { lines, address } = await run('cat /etc/resolv.conf; hostname; cat /etc/hosts', spec)
    assert.deepEqual(lines, [
      'search shop.svc.cluster.local svc.cluster.local cluster.local',
      'nameserver 10.0.0.10',
      'options ndots:5',
      'me',
      '# Kubernetes-managed hosts file.',
      '127.0.0.1\tlocalhost',
      '::1\tlocalhost ip6-localhost ip6-loopback',
      'fe00::0\tip6-localnet',
      'fe00::0\tip6-mcastprefix',
      'fe00::1\tip6-allnodes',
      'fe00::2\tip6-allrouters',
      `${address}\tme.sub.shop.svc.cluster.local\tme`,
      '',
      '# Entries added by HostAliases.',
      '1.2.3.4\ta.example\tb',
    ])
  })

  test('run as their user with their capabilities', async () => {
    const script = 'exec 2>&1; id -u; id -g; id -G; touch /x; grep -E "^(CapEff|NoNewPrivs|Seccomp):" /proc/self/status'
    const securityContext = {
      runAsUser: 1000,
      runAsGroup: 3000,
      fsGroup: 2000,
      supplementalGroups: [4000],
      seccompProfile: { type: 'Unconfined' as const },
    }
    const own = { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } }
    const { lines } = await run(script, { securityContext }, { securityContext: own })
    assert.deepEqual(lines, [
      '1000',
      '3000',
      '3000 2000 4000',
      'touch: /x: Permission denied',
      'CapEff:\t0000000000000000',
      'NoNewPrivs:\t1',
      'Seccomp:\t0',
    ])
  })

  test('cannot write to a read-only root', async () => {
    const { lines } = await run(
      'exec 2>&1; touch /x || echo refused',
      {},
      { securityContext: { readOnlyRootFilesystem: true } },
    )
    assert.deepEqual(lines, ['touch: /x: Read-only file system', 'refused'])
  })

  test('have their variables, also in commands', async () => {
    const { lines } = await run(
      'echo "$X|$Y|$$$$"; echo $(Y)',
      {},
      {
        env: [
          { name: 'X', valueFrom: { secretKeyRef: { name: 's', key: 'a' } } },
          { name: 'Y', value: '[$(X)]' },
        ],
      },
    )
    assert.deepEqual(lines, ['from secret|[from secret]|1', '[from secret]'])
  })

  test('see sub-paths of volumes', async () => {
    const path = join(harness.folder, 'volume')
    mkdirSync(join(path, 'sub'), { recursive: true })
    writeFileSync(join(path, 'file'), 'text\n')
    const volumeMounts = [
      { name: 'v', mountPath: '/one/file', subPath: 'file', readOnly: true },
      { name: 'v', mountPath: '/deep', subPath: 'deep/er' },
    ]
    const script = 'exec 2>&1; cat /one/file; echo x > /one/file || true; ls -A /deep; echo written > /deep/new'
    const { lines } = await run(script, {}, { volumeMounts }, new Map([['v', { path, isReadOnly: false }]]))
    assert.equal(lines[0], 'text')
    assert.match(lines[1] ?? '', /Read-only file system/)
    assert.equal(readFileSync(join(path, 'deep/er/new'), 'utf8'), 'written\n')
    assert.equal(readFileSync(join(path, 'file'), 'utf8'), 'text\n')
  })

  test('write their termination message', async () => {
    const { messages } = await run('echo bye > /tmp/why', {}, { terminationMessagePath: '/tmp/why' })
    assert.deepEqual(messages, ['bye\n'])
  })

  test('share processes or the host network if the pod says so', async () => {
    assert.deepEqual((await run('test $$$$ -eq 1 || echo other', { shareProcessNamespace: true })).lines, ['other'])
    assert.deepEqual((await run('echo $$$$')).lines, ['1'])
    const { lines } = await run('head -n 1 /etc/hosts; readlink /proc/self/ns/net', { hostNetwork: true })
    assert.deepEqual(lines, [
      '# Kubernetes-managed hosts file (host network).',
      execFileSync('readlink', ['/proc/self/ns/net'], { encoding: 'utf8' }).trim(),
    ])
  })

  test('have weight and limits below the pod cgroup', async () => {
    const resources = { requests: { cpu: '100m', memory: '64Mi' }, limits: { cpu: '500m', memory: '64Mi' } }
    const { lines, pod } = await run(
      'grep -E ":(cpu|memory):|^0::" /proc/self/cgroup; cat /proc/self/oom_score_adj',
      {},
      { resources },
    )
    const inPod = lines.filter((line) =>
      line.includes(`${harness.cgroupParent}/kubepods/burstable/pod${pod.metadata.uid}/`),
    )
    assert.ok(inPod.length > 0, lines.join('\n'))
    assert.ok(Number(lines.at(-1)) > 900, lines.at(-1))
  })

  test('have exclusive CPUs, and other containers move away', {
    skip: hostTopology().length < 2 && 'needs two cores',
  }, async () => {
    const script = 'trap "exit 0" TERM; while :; do grep Cpus_allowed_list /proc/self/status; sleep 0.05; done'
    const amounts = { cpu: '1', memory: '32Mi' }
    const looping = (resources: Container['resources']) =>
      testPod({
        containers: [
          testContainer({ image: harness.image, command: ['sh', '-c', script], resources: resources ?? {} }),
        ],
      })
    const allowed = ({ lines }: Begun) => lines().at(-1)?.split('\t').at(-1)
    const shared = await begin(looping({}))
    const everyCore = manager.cpusOf('none', 'none')
    try {
      await until(async () => allowed(shared) === everyCore)
      const alone = await begin(looping({ requests: amounts, limits: amounts }))
      try {
        await manager.reconcile([observed(shared), observed(alone)])
        await until(async () => allowed(alone) === manager.cpusOf(alone.pod.metadata.uid!, 'c'))
        await until(async () => allowed(shared) === manager.cpusOf('none', 'none'))
        assert.notEqual(allowed(alone), allowed(shared))
      } finally {
        await alone.end()
      }
      await manager.reconcile([observed(shared)])
      await until(async () => allowed(shared) === everyCore)
    } finally {
      await shared.end()
    }
  })

  interface Begun {
    readonly pod: Pod
    readonly containerId: string
    readonly address: string
    lines(): string[]
    /** The termination message. */
    messages(): string[]
    end(): Promise<void>
  }

  /** Runs one container to its end and removes it. */
  async function run(
    script: string,
    spec: Partial<PodSpec> = {},
    more: Partial<Container> = {},
    volumes: MountedVolumes = new Map(),
  ): Promise<{ lines: string[]; address: string; messages: string[]; pod: Pod }> {
    const container = testContainer({ image: harness.image, command: ['sh', '-c', script], ...more })
    const { pod, address, containerId, ...begun } = await begin(testPod({ containers: [container], ...spec }), volumes)
    try {
      await until(async () => {
        const { status } = await harness.runtime.containerStatus({ containerId })
        return status?.state === 'CONTAINER_EXITED'
      })
      return { lines: begun.lines(), address, messages: begun.messages(), pod }
    } finally {
      await begun.end()
    }
  }

  async function begin({ metadata, ...rest }: Pod, volumes: MountedVolumes = new Map()): Promise<Begun> {
    const { runtime } = harness
    const uid = `uid-${pods++}`
    const pod = { ...rest, metadata: { ...metadata, uid } }
    await manager.allocate(pod)
    const sandbox = await configs.sandbox(pod, 0)
    const { podSandboxId } = await runtime.runPodSandbox({ config: sandbox })
    const end = async () => {
      await runtime.stopPodSandbox({ podSandboxId })
      await runtime.removePodSandbox({ podSandboxId })
      await cgroups.remove(uid)
      await manager.release(uid)
      for (const point of mountsIn(join(harness.folder, 'kubelet/pods', uid))) execFileSync('umount', [point])
    }
    try {
      const { status } = await runtime.podSandboxStatus({ podSandboxId })
      const address = status?.network?.ip ?? ''
      const container = pod.spec.containers[0]!
      const image = { ref: harness.image, uid: undefined, username: '' }
      const config = await configs.container({
        pod,
        container,
        restartCount: 0,
        image,
        volumes,
        podAddresses: [address],
      })
      const { containerId } = await runtime.createContainer({ podSandboxId, config, sandboxConfig: sandbox })
      await runtime.startContainer({ containerId })
      const log = join(sandbox.logDirectory!, config.logPath!)
      const last = config.mounts!.filter(({ containerPath }) => containerPath === container.terminationMessagePath)
      return {
        pod,
        containerId,
        address,
        lines: () => linesOf(readFileSync(log, 'utf8')),
        messages: () => last.map(({ hostPath }) => readFileSync(hostPath!, 'utf8')),
        end,
      }
    } catch (error) {
      await end()
      throw error
    }
  }
})

function observed({ pod, containerId: id }: { readonly pod: Pod; readonly containerId: string }): PodOnCpus {
  return { uid: pod.metadata.uid ?? '', containers: [{ id, name: 'c', state: 'running' }] }
}

/** Times out, so that the test reports what is wrong. */
async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (let i = 0; i < 1500; i++) {
    if (await isSo()) return
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  assert.fail('it did not come to pass')
}

/** Without the runtime's prefix of each line. */
function linesOf(log: string): string[] {
  return log
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.split(' ').slice(3).join(' '))
}
