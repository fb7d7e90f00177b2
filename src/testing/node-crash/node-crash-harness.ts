import { execFileSync } from 'node:child_process'
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ConfigMap } from '../../api/core/v1/config-map.js'
import { Pod } from '../../api/core/v1/pod.js'
import { Secret } from '../../api/core/v1/secret.js'
import { hasReason } from '../../api/errors.js'
import { systemClock } from '../../base/clock.js'
import { environment } from '../../base/environment.js'
import { containerdPaths } from '../../cri/containerd/configuration.js'
import { type Containerd, startContainerd } from '../../cri/containerd/containerd.js'
import { clearLeftovers } from '../../cri/containerd/leftovers.js'
import { signalProcess } from '../../cri/containerd/processes.js'
import { startTestCluster, type TestCluster } from '../cluster.js'
import { busyboxImage } from '../containers/busybox-image.js'
import {
  type ContainerHarness,
  cgroupsBelow,
  createContainerHarness,
  removeCgroups,
  removeContainerHarness,
  writeNetworkConfiguration,
} from '../containers/container-harness.js'
import { KubeletProcess } from '../processes/kubelet-process.js'
import { podProblems, runningContainers, type StateTolerance } from './node-state.js'
import { podLeftOvers } from './pod-left-overs.js'
import { RuntimeProxy } from './runtime-proxy.js'
import { crashTestImage, type ScenarioPod } from './scenario-pods.js'

const nodeName = 'mistreated'
const nodeToken = 'token-of-the-node'
const patience = 120_000

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

/** A node whose every part can be killed. The control plane is in this process, and lives. */
export class NodeCrashHarness implements AsyncDisposable {
  readonly cluster: TestCluster
  readonly containers: ContainerHarness
  readonly proxy: RuntimeProxy
  readonly #alive = setInterval(() => {}, 60_000) // a clock's timers let a process end that has nothing else to do
  #containerd: Containerd
  #kubelet: KubeletProcess | undefined
  /** How often the kubelet was killed. */
  kills = 0

  private constructor(cluster: TestCluster, containers: ContainerHarness, containerd: Containerd, proxy: RuntimeProxy) {
    this.cluster = cluster
    this.containers = containers
    this.proxy = proxy
    this.#containerd = containerd
  }

  static async begin(): Promise<NodeCrashHarness> {
    const tokens = [`${nodeToken},system:node:${nodeName},${nodeName},"system:nodes"`]
    const cluster = await startTestCluster({ tokens })
    const containers = await createContainerHarness()
    writeNetworkConfiguration(join(containers.folder, 'net.d'), containers)
    const containerd = await containerdIn(containers)
    await containerd.addImages([busyboxImage(crashTestImage)])
    const { endpoint } = containerd
    const proxy = await RuntimeProxy.open({
      environment: environment(),
      endpoint,
      socket: join(containers.folder, 'proxy'),
    })
    const harness = new NodeCrashHarness(cluster, containers, containerd, proxy)
    harness.#writeFiles()
    await harness.#createObjects()
    return harness
  }

  startKubelet(): void {
    this.proxy.reopen()
    const { folder, cgroupParent } = this.containers
    this.#kubelet = new KubeletProcess([
      `--kubeconfig=${join(folder, 'node.kubeconfig')}`,
      `--container-runtime-endpoint=${this.proxy.endpoint}`,
      `--root-dir=${this.#places.rootFolder}`,
      `--pod-logs-dir=${this.#places.podLogsFolder}`,
      `--hostname-override=${nodeName}`,
      `--cgroup-root=${cgroupParent}`,
      `--resolv-conf=${join(folder, 'resolv.conf')}`,
      '--address=127.0.0.1',
      '--authorization-mode=AlwaysAllow',
      '--port=0',
    ])
  }

  /** At once. */
  killKubelet(): void {
    if (this.#kubelet && this.#kubelet.exit === undefined) signalProcess(this.#kubelet.pid, 'SIGKILL')
  }

  /** Kills the kubelet, if it lives, and lets the next one begin. */
  async restartKubelet(): Promise<void> {
    await this.endKubelet()
    this.startKubelet()
  }

  async endKubelet(): Promise<void> {
    this.proxy.shut()
    this.proxy.disarm()
    await this.#kubelet?.end('SIGKILL')
    await this.proxy.untilIdle()
    this.kills++
  }

  /** As the one who wrote it has it: for a failure's message. */
  kubeletLog(): string {
    const lines = (this.#kubelet?.log ?? []).map((line) => JSON.stringify(line))
    return lines.slice(-20).join('\n')
  }

  async untilKubeletActive(): Promise<void> {
    await this.#kubelet?.untilActive()
  }

  /** It is started again by the one who watches over it. */
  async killContainerd(): Promise<void> {
    const before = this.#containerd.pid
    if (before !== undefined) signalProcess(before, 'SIGKILL')
    while (this.#containerd.pid === before || this.#containerd.pid === undefined) await pause(10)
  }

  /** As far as that can be had: every process, mount, cgroup and network interface of the node is gone, files on disk are there. */
  async reboot(): Promise<void> {
    await this.endKubelet()
    if (this.#containerd.pid !== undefined) signalProcess(this.#containerd.pid, 'SIGKILL')
    await this.#containerd.close({ containers: 'keep' })
    const { folder, bridge, cgroupParent } = this.containers
    const places = containerdPaths(folder)
    await clearLeftovers(places, this.#containerd.programs.runc, systemClock)
    for (const path of [places.state, places.runcState]) rmSync(path, { recursive: true, force: true })
    for (const parent of cgroupsBelow(cgroupParent)) removeCgroups(parent)
    if (existsSync(`/sys/class/net/${bridge}`)) execFileSync('ip', ['link', 'delete', bridge])
    this.#containerd = await containerdIn(this.containers)
    this.startKubelet()
  }

  async create(pods: readonly ScenarioPod[]): Promise<void> {
    const resource = this.cluster.client.resource(Pod).in('default')
    await Promise.all(
      pods.map(({ name, spec }) =>
        resource.create({ apiVersion: 'v1', kind: 'Pod', metadata: { name }, spec: { ...spec, nodeName }, status: {} }),
      ),
    )
  }

  /** As people do: the node has to end them. */
  async delete(pods: readonly ScenarioPod[]): Promise<void> {
    const resource = this.cluster.client.resource(Pod).in('default')
    await Promise.all(pods.map(({ name }) => resource.delete(name).catch(absent)))
  }

  /** Resolves when all are as they must be; rejects with what is not. */
  async untilSettled(pods: readonly ScenarioPod[], leniency: StateTolerance = { brokenCalls: false }): Promise<void> {
    const parts = { client: this.cluster.client, runtime: this.proxy.runtime }
    await this.#until(() => podProblems(parts, pods, leniency))
    if (this.proxy.duplicates.length > 0) throw new Error(`ran twice: ${this.proxy.duplicates}`)
  }

  /** Resolves when no pod is there, and nothing of any; rejects with what is. */
  async untilCleared(): Promise<void> {
    await this.#until(async () => {
      const { items } = await this.cluster.client.resource(Pod).list()
      if (items.length > 0) return items.map(({ metadata }) => `pod ${metadata.name}`)
      return podLeftOvers(this.containers, this.#places, this.proxy.runtime)
    })
  }

  running(): Promise<readonly string[]> {
    return runningContainers(this.cluster.client)
  }

  /** Takes away what a day that went wrong has left, so that the end does not hide what was wrong. */
  async reset(): Promise<void> {
    await this.endKubelet()
    const { items } = await this.cluster.client.resource(Pod).list()
    const pods = this.cluster.client.resource(Pod).in('default')
    for (const { metadata } of items) await pods.delete(metadata.name!, { gracePeriodSeconds: 0 }).catch(absent)
    await this.#containerd.close()
    this.#containerd = await containerdIn(this.containers)
    const { rootFolder, podLogsFolder } = this.#places
    for (const folder of [rootFolder, podLogsFolder, join(this.containers.folder, 'addresses')])
      rmSync(folder, { recursive: true, force: true })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.proxy.shut()
    await this.#kubelet?.end('SIGKILL')
    await this.proxy[Symbol.asyncDispose]()
    await this.#containerd.close()
    await this.cluster.close()
    clearInterval(this.#alive)
    await removeContainerHarness(this.containers)
  }

  get #places() {
    const { folder } = this.containers
    return { rootFolder: join(folder, 'kubelet'), podLogsFolder: join(folder, 'logs') }
  }

  #writeFiles(): void {
    const { url, authority } = this.cluster
    const { folder } = this.containers
    const ca = Buffer.from(authority).toString('base64')
    const config = {
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [{ name: 'c', cluster: { server: url, 'certificate-authority-data': ca } }],
      users: [{ name: 'u', user: { token: nodeToken } }],
      contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
      'current-context': 'x',
    }
    writeFileSync(join(folder, 'node.kubeconfig'), JSON.stringify(config), { mode: 0o600 })
    writeFileSync(join(folder, 'resolv.conf'), 'nameserver 192.0.2.53\n')
  }

  async #createObjects(): Promise<void> {
    const { client } = this.cluster
    const of = (name: string) => ({ apiVersion: 'v1', metadata: { name } }) as const
    const settings = { ...of('settings'), kind: 'ConfigMap', data: { colour: 'green' } } as const
    await client.resource(ConfigMap).in('default').create(settings)
    const secret = { ...of('secret'), kind: 'Secret', data: { word: Buffer.from('hush').toString('base64') } } as const
    await client.resource(Secret).in('default').create(secret)
  }

  /** A kubelet that ends though nobody killed it would be waited for in vain. */
  async #until(what: () => Promise<readonly string[]>): Promise<void> {
    const end = performance.now() + patience
    for (;;) {
      const missing = await what().catch((error: Error) => [error.message])
      if (missing.length === 0) return
      if (this.#kubelet?.exit !== undefined || performance.now() > end)
        throw new Error(`${missing.join('\n')}\nkubelet (${this.#kubelet?.exit ?? 'alive'}):\n${this.kubeletLog()}`)
      await pause(50)
    }
  }
}

function containerdIn({ folder }: ContainerHarness): Promise<Containerd> {
  return startContainerd({ folder, environment: environment(), networkFolder: join(folder, 'net.d') })
}

function absent(error: unknown): void {
  if (!hasReason(error, 'NotFound')) throw error
}
