import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, test } from 'node:test'
import type { Container } from '../../api/core/v1/container.js'
import type { PodSpec } from '../../api/core/v1/pod/spec.js'
import type { Service } from '../../api/core/v1/service.js'
import { environment } from '../../base/environment.js'
import { seededRandom } from '../../base/random.js'
import { VirtualClock } from '../../base/virtual-clock.js'
import { ContainerError } from './container-error.js'
import { configObjects } from './environment/config-objects.test.kit.js'
import { testContainer, testPod } from './pod.test.kit.js'
import { containerConfigs } from './pod-container-configs.js'
import { testContainerHost } from './resources/container-host.test.kit.js'

let folder = ''
let events: string[] = []
beforeEach(() => {
  events = []
  folder = mkdtempSync(join(tmpdir(), 'proa-config-'))
  writeFileSync(join(folder, 'resolv.conf'), 'nameserver 192.0.2.1\n')
  writeFileSync(join(folder, 'hosts'), '127.0.0.1 localhost\n')
})
afterEach(() => rmSync(folder, { recursive: true }))

const kubernetes: Service = {
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'kubernetes', namespace: 'default' },
  spec: { clusterIP: '10.0.0.1', ports: [{ port: 443, name: 'https' }] },
  status: {},
}

function configs({ isSynced = true, clock = new VirtualClock() } = {}) {
  return containerConfigs({
    environment: environment({ clock, random: seededRandom(1) }),
    identity: {
      nodeName: 'n1',
      rootFolder: join(folder, 'kubelet'),
      podLogsFolder: join(folder, 'logs'),
      hostAddresses: ['192.0.2.7'],
      clusterDomain: 'cluster.local',
      clusterDns: ['10.0.0.10'],
    },
    events: { record: ({ reason, message }) => events.push(`${reason}: ${message}`) },
    configObjects: configObjects(),
    services: {
      isSynced,
      synced: isSynced ? Promise.resolve() : new Promise(() => {}),
      get: (key) => (key === 'default/kubernetes' ? kubernetes : undefined),
      by: () => [],
    },
    cgroups: { ensure: async ({ metadata }) => `/kubepods/pod${metadata.uid}` },
    host: testContainerHost(),
    allocatable: () => ({ cpu: '2', memory: '4Gi' }),
    settings: { resolverFile: join(folder, 'resolv.conf'), hostsFile: join(folder, 'hosts') },
  })
}

function request(container: Partial<Container> = {}, spec: Partial<PodSpec> = {}) {
  const one = testContainer(container)
  return {
    pod: testPod({ containers: [one], ...spec }),
    container: one,
    restartCount: 2,
    image: { ref: 'sha256:abc', uid: undefined, username: '' },
    volumes: new Map(),
    podAddresses: ['10.1.0.5'],
  }
}

describe('the configuration of a sandbox', () => {
  test('has everything of the pod', async () => {
    const pod = testPod(
      {
        hostname: 'me',
        containers: [testContainer({ ports: [{ containerPort: 80, hostPort: 8080, protocol: 'TCP' }] })],
        securityContext: { sysctls: [{ name: 'net.ipv4.ip_local_port_range', value: '1 2' }] },
      },
      { labels: { app: 'web' }, annotations: { note: 'x' } },
    )
    const { linux, ...sandbox } = await configs().sandbox(pod, 3)
    assert.deepEqual(sandbox, {
      metadata: { name: 'web', namespace: 'shop', uid: 'u-1', attempt: 3 },
      hostname: 'me',
      logDirectory: join(folder, 'logs/shop_web_u-1'),
      dnsConfig: {
        servers: ['10.0.0.10'],
        searches: ['shop.svc.cluster.local', 'svc.cluster.local', 'cluster.local'],
        options: ['ndots:5'],
      },
      portMappings: [{ protocol: 'TCP', containerPort: 80, hostPort: 8080, hostIp: '' }],
      labels: {
        app: 'web',
        'io.kubernetes.pod.name': 'web',
        'io.kubernetes.pod.namespace': 'shop',
        'io.kubernetes.pod.uid': 'u-1',
      },
      annotations: { note: 'x' },
    })
    assert.equal(linux?.cgroupParent, '/kubepods/podu-1')
    assert.deepEqual(linux.sysctls, { 'net.ipv4.ip_local_port_range': '1 2' })
    assert.equal(linux.resources?.cpuShares, 2)
    assert.ok(existsSync(join(folder, 'logs/shop_web_u-1')))
  })

  test('has no hostname on the host network', async () => {
    const { hostname, dnsConfig } = await configs().sandbox(testPod({ hostNetwork: true }), 0)
    assert.equal(hostname, '')
    assert.deepEqual(dnsConfig?.servers, ['192.0.2.1'])
  })

  test('records an event about omitted DNS entries', async () => {
    await configs().sandbox(testPod({ dnsConfig: { nameservers: ['1.1.1.1', '2.2.2.2', '3.3.3.3'] } }), 0)
    assert.match(events[0]!, /^DNSConfigForming: Nameserver limits/)
  })

  test('is rejected if it is impossible', async () => {
    await assert.rejects(configs().sandbox(testPod({ hostUsers: false }), 0), (error) => {
      assert.ok(error instanceof ContainerError)
      assert.equal(error.reason, 'CreatePodSandboxError')
      return true
    })
  })
})

describe('the configuration of a container', () => {
  test('has everything of the specification', async () => {
    const { linux, mounts, envs, annotations, ...config } = await configs().container(
      request({
        command: ['echo', '$(X)', '$$(X)'],
        args: ['$(Y)', '$(KUBERNETES_SERVICE_PORT)'],
        env: [{ name: 'X', value: 'ex' }],
        workingDir: '/work',
        stdin: true,
        stdinOnce: true,
        tty: true,
        lifecycle: { stopSignal: 'SIGRTMIN+3' },
      }),
    )
    assert.deepEqual(config, {
      metadata: { name: 'c', attempt: 2 },
      image: { image: 'sha256:abc', userSpecifiedImage: 'box:1' },
      command: ['echo', 'ex', '$(X)'],
      args: ['$(Y)', '443'],
      workingDir: '/work',
      devices: [],
      labels: {
        'io.kubernetes.pod.name': 'web',
        'io.kubernetes.pod.namespace': 'shop',
        'io.kubernetes.pod.uid': 'u-1',
        'io.kubernetes.container.name': 'c',
      },
      logPath: 'c/2.log',
      stdin: true,
      stdinOnce: true,
      tty: true,
      stopSignal: 'SIGRTMINPLUS3',
    })
    assert.equal(annotations?.['io.kubernetes.container.restartCount'], '2')
    assert.deepEqual(envs?.[0], { key: 'X', value: Buffer.from('ex') })
    assert.ok(envs.some(({ key }) => key === 'KUBERNETES_SERVICE_HOST'))
    assert.equal(linux?.resources?.oomScoreAdj, 1000)
    assert.deepEqual(
      mounts?.map(({ containerPath }) => containerPath),
      ['/etc/hosts', '/dev/termination-log'],
    )
    assert.ok(existsSync(join(folder, 'logs/shop_web_u-1/c')))
  })

  test('mounts a hosts file with its address, and a termination log that any user may write', async () => {
    const { mounts } = await configs().container(request())
    const [hosts, log] = (mounts ?? []).map(({ hostPath }) => hostPath!)
    assert.match(readFileSync(hosts!, 'utf8'), /\n10\.1\.0\.5\tweb\n$/)
    assert.equal(statSync(log!).mode & 0o777, 0o666)
    assert.match(log!, /\/pods\/u-1\/containers\/c\/[0-9a-f]{8}$/)
  })

  test('has a new termination log each time', async () => {
    const made = configs()
    for (let i = 0; i < 2; i++) await made.container(request())
    assert.equal(readdirSync(join(folder, 'kubelet/pods/u-1/containers/c')).length, 2)
  })

  test("mounts the host's hosts file on the host network", async () => {
    const { mounts } = await configs().container({ ...request({}, { hostNetwork: true }), podAddresses: [] })
    assert.equal(
      readFileSync(mounts![0]!.hostPath!, 'utf8'),
      '# Kubernetes-managed hosts file (host network).\n127.0.0.1 localhost\n',
    )
  })

  test('mounts neither if the container has its own or wants none', async () => {
    const volumes = new Map([['v', { path: folder, isReadOnly: false }]])
    const own = request({ volumeMounts: [{ name: 'v', mountPath: '/etc/hosts' }], terminationMessagePath: '' })
    const { mounts } = await configs().container({ ...own, volumes })
    assert.deepEqual(
      mounts?.map(({ hostPath }) => hostPath),
      [folder],
    )
  })

  test('is rejected if a non-root container would run as root', async () => {
    const wanted = request({}, { securityContext: { runAsNonRoot: true } })
    await assert.rejects(configs().container(wanted), (error) => {
      assert.ok(error instanceof ContainerError)
      assert.equal(error.reason, 'CreateContainerConfigError')
      assert.equal(
        error.message,
        'container has runAsNonRoot and image will run as root (pod: "web_shop(u-1)", container: c)',
      )
      return true
    })
  })

  test('waits for services, except for static pods', async () => {
    const clock = new VirtualClock()
    const made = configs({ isSynced: false, clock })
    const refused = assert.rejects(made.container(request()), {
      message: 'services have not yet been read at least once, cannot construct envvars',
    })
    await clock.advance('5s')
    await refused
    const { pod, ...rest } = request()
    const metadata = { ...pod.metadata, annotations: { 'kubernetes.io/config.source': 'file' } }
    await made.container({ ...rest, pod: { ...pod, metadata } })
  })
})
