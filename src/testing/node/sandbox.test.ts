import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdirSync, readlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { PodSpec } from '../../api/core/v1/pod/spec.js'
import { idle, script, server, type TestNodeHarness, until } from './node-harness.js'
import { nodeSuite } from './node-suite.js'

const run = promisify(execFile)
const kinds = ['net', 'ipc', 'pid'] as const
const hosts = kinds.map((kind) => readlinkSync(`/proc/self/ns/${kind}`))
const tellNamespaces = `for kind in ${kinds.join(' ')}; do readlink /proc/self/ns/$kind; done`

/** The namespaces of two containers of a pod: `host`, `shared` by the two, or `own`. */
async function namespacesOf(
  harness: TestNodeHarness,
  name: string,
  spec: Partial<PodSpec>,
): Promise<readonly string[]> {
  const containers = [script('one', `${tellNamespaces}; ${idle}`), script('two', `${tellNamespaces}; ${idle}`)]
  await harness.run(name, { containers, ...spec })
  const one = await harness.lines(name, 3, 'one')
  const two = await harness.lines(name, 3, 'two')
  return one.map((link, index) => (link === hosts[index] ? 'host' : link === two[index] ? 'shared' : 'own'))
}

/** CRI and pause containers; CNI and pod networking. */
await nodeSuite('the sandbox of a pod', {
  'is made anew when it dies, and its containers with it': async (harness) => {
    await harness.run('p', { containers: [server('web', 8080)] })
    const before = await harness.ready('p')
    const [sandbox] = await harness.sandboxes(before)
    const { info } = await harness.runtime.podSandboxStatus({ podSandboxId: sandbox!.id, verbose: true })
    const { pid } = JSON.parse(info.info!) as { pid: number }
    process.kill(pid, 'SIGKILL')
    const after = await harness.pod('p', ({ status }) => status.containerStatuses?.[0]?.restartCount === 1)
    await harness.ready('p')
    assert.notEqual(after.status.containerStatuses![0]!.containerID, before.status.containerStatuses![0]!.containerID)
    await harness.event('p', /^Normal SandboxChanged: Pod sandbox changed, it will be killed and re-created\.$/)
    const { status } = await harness.pods.get('p')
    assert.equal((await run('curl', ['--silent', '--fail', `http://${status.podIP}:8080/`])).stdout, 'p\n')
    // The old one is kept as long as its container is, whose log may be asked for.
    const states = (await harness.sandboxes(after)).map(({ metadata, state }) => `${metadata?.attempt} ${state}`)
    assert.deepEqual(states, ['1 SANDBOX_READY', '0 SANDBOX_NOTREADY'])
  },

  'lets its containers see each other on localhost': async (harness) => {
    const ask = 'until wget -q -O - http://127.0.0.1:8080/; do sleep 0.1; done'
    await harness.run('p', { restartPolicy: 'Never', containers: [server('web', 8080), script('client', ask)] })
    assert.deepEqual(await harness.lines('p', 1, 'client'), ['p'])
  },

  'has a process that reaps those whose parents are gone': async (harness) => {
    const orphan = 'sh -c "sleep 0.2 & echo \\$!"'
    const containers = [script('one', `${orphan}; ${idle}`), script('two', idle)]
    await harness.run('p', { shareProcessNamespace: true, containers })
    const [pid] = await harness.lines('p', 1, 'one')
    await harness.ready('p')
    assert.match(await harness.exec('p', 'two', 'cat /proc/1/cmdline'), /pause/)
    assert.match(await harness.exec('p', 'two', 'ps'), /trap "exit 0" TERM/)
    await until(
      async () => (await harness.exec('p', 'two', `test -e /proc/${pid} && echo there || echo gone`)) === 'gone\n',
    )
    const states = await harness.exec('p', 'two', 'cat /proc/[0-9]*/stat')
    assert.doesNotMatch(states, /\) Z /)
  },

  'has the namespaces that the pod asks for': async (harness) => {
    const variants: Readonly<Record<string, readonly [Partial<PodSpec>, readonly string[]]>> = {
      usual: [{}, ['shared', 'shared', 'own']],
      processes: [{ shareProcessNamespace: true }, ['shared', 'shared', 'shared']],
      network: [{ hostNetwork: true }, ['host', 'shared', 'own']],
      ipc: [{ hostIPC: true }, ['shared', 'host', 'own']],
      pid: [{ hostPID: true }, ['shared', 'shared', 'host']],
      all: [{ hostNetwork: true, hostIPC: true, hostPID: true }, ['host', 'host', 'host']],
    }
    const seen = Object.entries(variants).map(async ([name, [spec, wanted]]) => {
      assert.deepEqual(await namespacesOf(harness, name, spec), wanted, name)
    })
    await Promise.all(seen)
    const { status } = await harness.ready('network')
    assert.equal(status.podIP, status.hostIP)
  },

  'is reached through a port of the host': async (harness) => {
    const hostPort = 20_000 + (process.pid % 10_000)
    await harness.run('p', { containers: [server('web', 8080, { ports: [{ containerPort: 8080, hostPort }] })] })
    const pod = await harness.ready('p')
    const { status } = pod
    const place = `http://${status.hostIP}:${hostPort}/`
    assert.equal((await run('curl', ['--silent', '--fail', place])).stdout, 'p\n')
    await harness.pods.delete('p')
    await until(async () => (await harness.sandboxes(pod)).length === 0)
    await assert.rejects(run('curl', ['--silent', '--fail', '--max-time', '2', place]))
  },

  'has the kernel parameters of the pod, where they are its own affair': async (harness) => {
    const safe = [
      { name: 'net.ipv4.ip_local_port_range', value: '20000 30000' },
      { name: 'kernel.shm_rmid_forced', value: '1' },
    ]
    const tell = 'cat /proc/sys/net/ipv4/ip_local_port_range /proc/sys/kernel/shm_rmid_forced'
    await harness.run('p', {
      restartPolicy: 'Never',
      securityContext: { sysctls: safe },
      containers: [script('c', tell)],
    })
    await harness.run('q', {
      securityContext: { sysctls: [{ name: 'kernel.msgmax', value: '65536' }] },
      containers: [script('c', idle)],
    })
    assert.deepEqual(await harness.lines('p', 2), ['20000\t30000', '1'])
    const { status } = await harness.over('q')
    assert.deepEqual([status.phase, status.reason], ['Failed', 'SysctlForbidden'])
    assert.match(status.message ?? '', /forbidden sysctl: "kernel\.msgmax" not allowlisted/)
  },

  'has the name and the resolver that the cluster gives it': async (harness) => {
    const containers = [script('c', 'hostname; cat /etc/resolv.conf; tail -1 /etc/hosts')]
    await harness.run('p', { hostname: 'me', subdomain: 'here', restartPolicy: 'Never', containers })
    const { status } = await harness.over('p')
    const domain = `${harness.namespace}.svc.cluster.local`
    assert.deepEqual(await harness.lines('p', 5), [
      'me',
      `search ${domain} svc.cluster.local cluster.local`,
      'nameserver 10.96.0.10',
      'options ndots:5',
      `${status.podIP}\tme.here.${domain}\tme`,
    ])
  },
})

/** The security context of pods and containers, as the kernel sees it. */
await nodeSuite('a container', {
  'is whom it should be': async (harness) => {
    const securityContext = { runAsUser: 1000, runAsGroup: 2000, supplementalGroups: [4000], fsGroup: 5000 }
    const own = { runAsUser: 1001, readOnlyRootFilesystem: true }
    const tell = 'id -u; id -g; id -G; touch /file 2> /dev/null || echo refused'
    const containers = [script('pod', tell), script('own', tell, { securityContext: own })]
    await harness.run('p', { restartPolicy: 'Never', securityContext, containers })
    await harness.over('p')
    assert.deepEqual(await harness.lines('p', 4, 'pod'), ['1000', '2000', '2000 3000 4000 5000', 'refused'])
    assert.deepEqual(await harness.lines('p', 4, 'own'), ['1001', '2000', '2000 4000 5000', 'refused'])
  },

  'can do what it should, and no more': async (harness) => {
    const tell = 'grep -E "^(CapEff|NoNewPrivs|Seccomp):" /proc/self/status'
    const contexts = {
      none: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
      one: { capabilities: { drop: ['ALL'], add: ['NET_ADMIN'] } },
      default: { seccompProfile: { type: 'RuntimeDefault' } },
      open: { seccompProfile: { type: 'Unconfined' } },
    } as const
    const containers = Object.entries(contexts).map(([name, securityContext]) =>
      script(name, tell, { securityContext: securityContext as never }),
    )
    await harness.run('p', { restartPolicy: 'Never', containers })
    await harness.over('p')
    const seen = async (name: string) =>
      Object.fromEntries((await harness.lines('p', 3, name)).map((line) => line.split(/:\s+/) as [string, string]))
    assert.deepEqual(await seen('none'), { CapEff: '0000000000000000', NoNewPrivs: '1', Seccomp: '0' })
    assert.equal((await seen('one')).CapEff, '0000000000001000')
    assert.equal((await seen('default')).Seccomp, '2')
    assert.equal((await seen('open')).Seccomp, '0')
  },

  'is kept from what a profile of the node forbids': async (harness) => {
    const folder = join(harness.node.identity.rootFolder, 'seccomp')
    mkdirSync(folder, { recursive: true })
    const forbidden = [{ names: ['mkdir', 'mkdirat'], action: 'SCMP_ACT_ERRNO' }]
    writeFileSync(
      join(folder, 'no-folders.json'),
      JSON.stringify({ defaultAction: 'SCMP_ACT_ALLOW', syscalls: forbidden }),
    )
    const seccompProfile = { type: 'Localhost', localhostProfile: 'no-folders.json' } as const
    await harness.once(
      'p',
      script('c', 'mkdir /tmp/a 2> /dev/null || echo refused', { securityContext: { seccompProfile } }),
    )
    assert.deepEqual(await harness.lines('p', 1), ['refused'])
  },

  'does not run as root if it must not': async (harness) => {
    const securityContext = { runAsNonRoot: true }
    await harness.once('p', script('c', idle, { securityContext }))
    const { status } = await harness.pod(
      'p',
      (pod) => pod.status.containerStatuses?.[0]?.state?.waiting?.reason === 'CreateContainerConfigError',
    )
    assert.match(
      status.containerStatuses![0]!.state!.waiting!.message!,
      /^container has runAsNonRoot and image will run as root \(pod: "p_test-\d\(.*\)", container: c\)$/,
    )
    await harness.event('p', /^Warning Failed: Error: container has runAsNonRoot/)
  },

  'can do anything if it is privileged': async (harness) => {
    await harness.once(
      'p',
      script('c', 'mount -t tmpfs none /tmp && echo done', { securityContext: { privileged: true } }),
    )
    assert.deepEqual(await harness.lines('p', 1), ['done'])
  },
})
