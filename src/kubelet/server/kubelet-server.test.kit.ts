import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Node } from '../../api/core/v1/node.js'
import type { PodStatus } from '../../api/core/v1/pod/status.js'
import { Pod } from '../../api/core/v1/pod.js'
import { ServiceAccount } from '../../api/core/v1/service-account.js'
import { environment } from '../../base/environment.js'
import { metrics } from '../../base/metrics.js'
import type { Client } from '../../client/client.js'
import { inProcessRuntime } from '../../cri/in-process.js'
import type { ContainerRuntime } from '../../cri/interface/services.js'
import { type SimulatedRuntime, simulatedRuntime } from '../../cri/simulated/simulated-runtime.js'
import { startTestApiServer, type TestApiServer } from '../../testing/servers/api-server.js'
import { inProcessClient } from '../../testing/servers/clients.js'
import { type KubeletServer, type KubeletServerOptions, startKubeletServer } from './kubelet-server.js'
import { servingCertificate } from './serving-certificate.js'

export const nodeName = 'node-1'

export interface NodeWorldOptions {
  readonly runtime?: ContainerRuntime
  readonly options?: Partial<KubeletServerOptions>
  /** Tokens that the API server accepts. */
  readonly tokens?: readonly string[]
}

/** An API server and a node with a runtime and the kubelet's server. Tests do the kubelet's work by hand. */
export class KubeletServerHarness {
  readonly environment = environment()
  readonly folder = mkdtempSync(join(tmpdir(), 'proa-node-'))
  readonly probeMetrics = metrics()
  readonly #pods = new Map<string, Pod>()
  readonly #alive = setInterval(() => {}, 60_000) // timers of the clock do not keep the process alive
  #simulated: SimulatedRuntime | undefined
  runtime!: ContainerRuntime
  api!: TestApiServer
  client!: Client
  kubelet!: KubeletServer
  /** The serving certificate of the kubelet. */
  certificate = ''

  static async start(given: NodeWorldOptions = {}): Promise<KubeletServerHarness> {
    const harness = new KubeletServerHarness()
    await harness.#open(given)
    return harness
  }

  async #open({ runtime, options, tokens = [] }: NodeWorldOptions): Promise<void> {
    if (!runtime) this.#simulated = await simulatedRuntime({ environment: this.environment })
    this.runtime = runtime ?? inProcessRuntime(this.#simulated!, { environment: this.environment })
    this.api = await startTestApiServer({ tokens })
    this.client = inProcessClient(this.api)
    await this.client.resource(ServiceAccount).create({ metadata: { name: 'default', namespace: 'default' } })
    const hosts = ['127.0.0.1']
    const credential = servingCertificate({ folder: join(this.folder, 'pki'), nodeName, hosts }, this.environment)
    this.certificate = credential.cert
    const groups = ['system:nodes', 'system:authenticated']
    const user = { name: `system:node:${nodeName}`, uid: '', groups, extra: {} }
    this.kubelet = await startKubeletServer({
      environment: this.environment,
      client: inProcessClient(this.api, { user }),
      runtime: this.runtime,
      identity: { nodeName },
      pods: {
        list: () => this.#pods.values(),
        get: (namespace, name) => this.#pods.get(`${namespace}/${name}`),
      },
      probeMetrics: this.probeMetrics,
      configuration: { port: 10_250 },
      options: {
        address: '127.0.0.1',
        port: 0,
        tls: { ...credential, clientCa: this.api.authority },
        ...options,
      },
    })
    await this.#register()
  }

  async #register(): Promise<void> {
    const addresses = [{ type: 'InternalIP', address: '127.0.0.1' }]
    const status = { addresses, daemonEndpoints: { kubeletEndpoint: { Port: this.kubelet.port } } }
    await this.client.resource(Node).create({ metadata: { name: nodeName }, status } as never)
  }

  /** Creates a pod that is bound to the node. */
  async pod(name: string, spec: object, annotations: Record<string, string> = {}): Promise<Pod> {
    const metadata = { name, namespace: 'default', annotations }
    const made = await this.client.resource(Pod).create({ metadata, spec: { nodeName, ...spec } } as never)
    this.#know(made)
    return made
  }

  /** Adds the pod to the node only, not to the API server. */
  know(pod: Pod): void {
    this.#know(pod)
  }

  #know(pod: Pod): void {
    this.#pods.set(`${pod.metadata.namespace}/${pod.metadata.name}`, pod)
  }

  /** Sets the status that the kubelet knows. */
  setStatus(pod: Pod, status: object): void {
    this.#know({ ...pod, status: status as PodStatus } as Pod)
  }

  /** Starts all containers of a pod and returns their ids. */
  async run(pod: Pod, image = 'web', linux: object = {}): Promise<readonly string[]> {
    const { name = '', namespace = '', uid = '', annotations } = pod.metadata
    const labels = { 'io.kubernetes.pod.uid': uid, 'io.kubernetes.pod.name': name }
    const logDirectory = join(this.folder, 'logs', uid)
    mkdirSync(logDirectory, { recursive: true })
    const config = { metadata: { name, uid, namespace }, labels, annotations, logDirectory, ...linux }
    const { podSandboxId } = await this.runtime.runPodSandbox({ config: config as never })
    const ids: string[] = []
    for (const { name: containerName, command = [], args = [], stdin = false, tty = false } of pod.spec.containers) {
      const containerConfig = {
        metadata: { name: containerName },
        image: { image },
        command,
        args,
        stdin,
        tty,
        logPath: `${containerName}_0.log`,
        linux: { securityContext: { namespaceOptions: { pid: 'CONTAINER' as const } } },
        labels: { ...labels, 'io.kubernetes.container.name': containerName },
      }
      const created = await this.runtime.createContainer({
        podSandboxId,
        config: containerConfig,
        sandboxConfig: config as never,
      })
      await this.runtime.startContainer({ containerId: created.containerId })
      ids.push(created.containerId)
    }
    const containerStatuses = pod.spec.containers.map((container, index) => ({
      name: container.name,
      containerID: `test://${ids[index]}`,
      state: { running: {} },
      lastState: {},
    }))
    this.setStatus(pod, { containerStatuses })
    const statuses = this.client.resource(Pod).in(namespace).subresource('status')
    await statuses.patch(name, 'merge', { status: { phase: 'Running' } })
    return ids
  }

  async close(): Promise<void> {
    await this.kubelet.close()
    await this.api.close()
    await this.#simulated?.close()
    clearInterval(this.#alive)
    rmSync(this.folder, { recursive: true, force: true })
  }
}
