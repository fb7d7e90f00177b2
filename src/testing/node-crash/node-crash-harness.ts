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

const nodeName = 'crash-node'
const nodeToken = 'token-of-the-node'
const patience = 120_000

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

/** A node whose kubelet and containerd can be killed. The control plane is in this process and stays up. */
export class NodeCrashHarness implements AsyncDisposable {
  readonly cluster: TestCluster
  readonly containers: ContainerHarness
  readonly proxy: RuntimeProxy
  readonly #alive = setInterval(() => {}, 60_000) // a clock's timers let a process end that has nothing else to do
  #containerd: Containerd
  #kubelet: KubeletProcess | undefined
  /** The number of kills of the kubelet. */
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
      `--root-dir=${this.#kubeletFolders.rootFolder}`,
      `--pod-logs-dir=${this.#kubeletFolders.podLogsFolder}`,
      `--hostname-override=${nodeName}`,
      `--cgroup-root=${cgroupParent}`,
      `--resolv-conf=${join(folder, 'resolv.conf')}`,
      '--address=127.0.0.1',
      '--authorization-mode=AlwaysAllow',
      '--port=0',
    ])
  }

  /** Kills the kubelet without waiting for its end. */
  killKubelet(): void {
    if (this.#kubelet && this.#kubelet.exit === undefined) signalProcess(this.#kubelet.pid, 'SIGKILL')
  }

  /** Kills the kubelet, if it runs, and starts the next one. */
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

  /** Returns the last log lines, for error messages. */
  kubeletLog(): string {
    const lines = (this.#kubelet?.log ?? []).map((line) => JSON.stringify(line))
    return lines.slice(-20).join('\n')
  }

  async untilKubeletActive(): Promise<void> {
    await this.#kubelet?.untilActive()
  }

  /** Kills containerd and waits until its supervisor has started it again. */
  async killContainerd(): Promise<void> {
    const before = this.#containerd.pid
    if (before !== undefined) signalProcess(before, 'SIGKILL')
    while (this.#containerd.pid === before || this.#containerd.pid === undefined) await pause(10)
  }

  /** Simulates a reboot: removes every process, mount, cgroup and network interface of the node, and keeps files on disk. */
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

  /** Deletes pods with their grace period, so that the kubelet has to stop them. */
  async delete(pods: readonly ScenarioPod[]): Promise<void> {
    const resource = this.cluster.client.resource(Pod).in('default')
    await Promise.all(pods.map(({ name }) => resource.delete(name).catch(absent)))
  }

  /** Resolves when all pods have reached their expected state; rejects with a list of those that have not. */
  async untilSettled(pods: readonly ScenarioPod[], tolerance: StateTolerance = { brokenCalls: false }): Promise<void> {
    const dependencies = { client: this.cluster.client, runtime: this.proxy.runtime }
    await this.#until(() => podProblems(dependencies, pods, tolerance))
    if (this.proxy.duplicates.length > 0) throw new Error(`ran twice: ${this.proxy.duplicates}`)
  }

  /** Resolves when no pod and nothing of any pod is left; rejects with a list of the rest. */
  async untilCleared(): Promise<void> {
    await this.#until(async () => {
      const { items } = await this.cluster.client.resource(Pod).list()
      if (items.length > 0) return items.map(({ metadata }) => `pod ${metadata.name}`)
      return podLeftOvers(this.containers, this.#kubeletFolders, this.proxy.runtime)
    })
  }

  running(): Promise<readonly string[]> {
    return runningContainers(this.cluster.client)
  }

  /** Removes everything after a failure, so that errors of the cleanup do not hide the failure. */
  async reset(): Promise<void> {
    await this.endKubelet()
    const { items } = await this.cluster.client.resource(Pod).list()
    const pods = this.cluster.client.resource(Pod).in('default')
    for (const { metadata } of items) await pods.delete(metadata.name!, { gracePeriodSeconds: 0 }).catch(absent)
    await this.#containerd.close()
    this.#containerd = await containerdIn(this.containers)
    const { rootFolder, podLogsFolder } = this.#kubeletFolders
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

  get #kubeletFolders() {
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

  /** Waits until `what` returns no problem. Fails at once if the kubelet has exited. */
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
