import { Node } from '../api/core/v1/node.js'
import { Pod } from '../api/core/v1/pod.js'
import { Service } from '../api/core/v1/service.js'
import { hasReason } from '../api/errors.js'
import { metrics } from '../base/metrics.js'
import { Client } from '../client/client.js'
import { eventRecorder, type RunningEventRecorder } from '../client/events/recorder.js'
import { keyOf } from '../client/informers/informer.js'
import { Informers } from '../client/informers/informers.js'
import { admit, startObstacle } from './admission/admission.js'
import type { AdmissionContext } from './admission/pod-admission.js'
import { podCgroups } from './cgroups/kubelet-cgroups.js'
import type { ConfigObjects } from './containers/environment/config-objects.js'
import { bindMountsFrom } from './containers/mounts/bind-mounts.js'
import { containerConfigs } from './containers/pod-container-configs.js'
import type { CpuManager } from './cpus/cpu-manager.js'
import { cpuManagerFor } from './cpus/cpu-policy.js'
import { CpuReconciler } from './cpus/pod-cpus.js'
import { containerHooks } from './hooks/container-hooks.js'
import { ImageGarbageCollector } from './images/image-garbage-collector.js'
import { type PodImages, podImages } from './images/pod-images.js'
import { type RunningKubelet, startKubelet } from './kubelet.js'
import { LogRotation } from './logs/log-rotation.js'
import { type NodeAgent, nodeAgent } from './node/node-agent.js'
import { PodNetworkReconciler } from './node/pod-network-reconciler.js'
import type { NodeDependencies } from './node-dependencies.js'
import type { ConfigMapsAndSecrets } from './objects/config-maps-and-secrets.js'
import { configMapsAndSecrets } from './objects/watched-objects.js'
import { prober } from './probes/pod-prober.js'
import { kubeletConfiguration } from './server/configuration.js'
import { type KubeletServer, startKubeletServer } from './server/kubelet-server.js'
import { staticPods } from './static/file-pods.js'
import { mirrorPods } from './static/mirror-pods.js'
import { isMirrorPod } from './static/pod-source.js'
import { noStaticPods, type StaticPods } from './static/static-pods.js'
import { podStatus } from './status/pod-status.js'
import { podStatusManager } from './status/pod-status-manager.js'
import type { StatusManager } from './status/status-manager.js'
import { type PodVolumes, podVolumes } from './volumes/pod-volumes.js'

export interface RunningNode extends AsyncDisposable {
  readonly kubelet: RunningKubelet
  readonly agent: NodeAgent
  /** Port of the kubelet's API, or 0 without one. */
  readonly port: number
  /** Stops the node. Containers keep running. */
  close(): Promise<void>
}

/** Creates all components of a node and starts them. Resolves before the node is ready. */
export async function runNode(dependencies: NodeDependencies): Promise<RunningNode> {
  const assembly = new NodeAssembly(dependencies)
  const server = await assembly.serve()
  const agent = await assembly.startAgent(server?.port ?? 0)
  const kubelet = assembly.startKubelet(agent)
  const close = async () => {
    await server?.close()
    await kubelet.close()
    await agent.close()
    await assembly.close()
  }
  return { kubelet, agent, port: server?.port ?? 0, close, [Symbol.asyncDispose]: close }
}

/** The components that the kubelet and the node agent share. */
class NodeAssembly {
  readonly #dependencies: NodeDependencies
  readonly #client: Client
  readonly #informers: Informers
  readonly #events: RunningEventRecorder
  readonly #objects: ConfigMapsAndSecrets
  readonly #volumes: PodVolumes
  readonly #images: PodImages
  readonly #status: StatusManager
  readonly #staticPods: StaticPods
  readonly #podNetwork: PodNetworkReconciler | undefined
  readonly #rotation: LogRotation
  readonly #cpus: CpuManager | undefined
  readonly #cpuReconciler: CpuReconciler | undefined
  readonly #probeMetrics = metrics()
  readonly #closing = new AbortController()
  #agent: NodeAgent | undefined
  #kubelet: RunningKubelet | undefined

  constructor(dependencies: NodeDependencies) {
    const { environment, transport, identity, platform, runtime, options = {} } = dependencies
    const client = new Client(transport, { clock: environment.clock })
    this.#dependencies = dependencies
    this.#client = client
    this.#informers = new Informers(client, environment)
    this.#events = eventRecorder(client, { component: 'kubelet', host: identity.nodeName }, environment)
    this.#objects = configMapsAndSecrets({ client, environment })
    const shared = { environment, client, events: this.#events, identity }
    const allocatable = () => this.#agent?.resources.allocatable ?? {}
    this.#volumes = podVolumes({ ...shared, objects: this.#objects, allocatable, mounts: platform.mounts })
    this.#images = podImages({ ...shared, runtime, pulls: options.pulls })
    const pods = this.#informers.of(Pod, { fieldSelector: `spec.nodeName=${identity.nodeName}` })
    this.#status = podStatusManager({
      environment,
      client,
      stored: (pod) => representationOf(pods.get(keyOf(pod)), pod),
    })
    const { manifests } = options
    this.#staticPods = manifests === undefined ? noStaticPods : staticPods({ environment, identity, from: manifests })
    this.#rotation = new LogRotation({ environment, runtime, ...options.logs })
    const { kubeReserved, systemReserved } = options.node ?? {}
    const { cpus: settings = {} } = options
    this.#cpus = cpuManagerFor({ runtime, identity, settings, reservations: [systemReserved, kubeReserved] })
    this.#cpuReconciler = this.#cpus && this.#createCpuReconciler(this.#cpus, settings.reconcilePeriod)
    this.#podNetwork = platform.network && new PodNetworkReconciler({ environment, runtime, network: platform.network })
  }

  async serve(): Promise<KubeletServer | undefined> {
    const { environment, runtime, identity, options = {} } = this.#dependencies
    const { server } = options
    if (!server) return undefined
    const pods = {
      list: () => this.#kubelet?.list() ?? [],
      get: (namespace: string, name: string) => this.#kubelet?.get(namespace, name),
    }
    return startKubeletServer({
      environment,
      runtime,
      identity,
      client: this.#client,
      pods,
      probeMetrics: this.#probeMetrics,
      health: [{ name: 'syncloop', check: () => this.#kubelet?.checkHealth() }],
      configuration: kubeletConfiguration(this.#dependencies),
      options: server,
    })
  }

  async startAgent(port: number): Promise<NodeAgent> {
    const { environment, runtime, identity, platform, version, options = {} } = this.#dependencies
    const agent = await nodeAgent({
      environment,
      runtime,
      identity,
      version,
      port,
      client: this.#client,
      informers: this.#informers,
      events: this.#events,
      host: platform.host,
      options: options.node,
    })
    this.#agent = agent
    this.#podNetwork?.follow(this.#informers.of(Node, { fieldSelector: `metadata.name=${identity.nodeName}` }))
    agent.registered.then(
      (node) => this.#collectImages(node),
      () => {}, // the agent was closed before
    )
    return agent
  }

  startKubelet(agent: NodeAgent): RunningKubelet {
    const { environment, runtime, identity, platform, options = {} } = this.#dependencies
    const shared = { environment, client: this.#client, events: this.#events, identity, runtime }
    const hasExclusiveCpus = (pod: Pod) => this.#cpus?.hasExclusive(pod) ?? false
    const cgroups = podCgroups({ environment, hasExclusiveCpus, ...(platform.cgroups ?? { perQos: false }) })
    const configs = containerConfigs({
      ...shared,
      cgroups,
      configObjects: optionalObjects(this.#objects),
      services: this.#informers.of(Service),
      host: platform.containerHost,
      cpus: this.#cpus,
      allocatable: () => agent.resources.allocatable,
      settings: options.containers,
      bindMounts: bindMountsFrom(platform.mounts),
    })
    this.#kubelet = startKubelet({
      ...shared,
      cgroups,
      cpus: this.#cpuReconciler,
      configs,
      informers: this.#informers,
      images: this.#images,
      volumes: this.#volumes,
      hooks: containerHooks(shared),
      prober: (changed) => prober({ ...shared, changed, metrics: this.#probeMetrics }),
      status: this.#status,
      podStatus: podStatus,
      admit: (pod, others) => {
        const on = this.#admissionContext(agent)
        return on && admit(pod, others, on)
      },
      obstacle: (pod) => {
        const on = this.#admissionContext(agent)
        return on && startObstacle(pod, on)
      },
      staticPods: this.#staticPods,
      mirrors: mirrorPods({ environment, client: this.#client, node: () => agent.node() }),
      ...(options.kubelet && { options: options.kubelet }),
    })
    return this.#kubelet
  }

  /** Returns undefined before the Node is registered: static pods cannot be checked yet. */
  #admissionContext(agent: NodeAgent): AdmissionContext | undefined {
    const { platform, options = {} } = this.#dependencies
    const node = agent.node()
    if (!node) return undefined
    const kernelVersion = node.status?.nodeInfo?.kernelVersion ?? ''
    const { unsafeSysctls = [] } = options
    const cores = this.#cpus && { wholeCores: this.#cpus.wholeCores }
    return { node, kernelVersion, unsafeSysctls, hasAppArmor: platform.hasAppArmor, ...cores }
  }

  #createCpuReconciler(manager: CpuManager, reconcilePeriod = 10_000): CpuReconciler {
    const pods = () => this.#kubelet?.allObserved() ?? []
    return new CpuReconciler({ environment: this.#dependencies.environment, manager, pods, reconcilePeriod })
  }

  #collectImages(node: Node): void {
    const { environment, runtime, platform, options = {} } = this.#dependencies
    const collection = new ImageGarbageCollector({
      environment,
      runtime,
      measure: platform.host.measure,
      events: this.#events,
      about: node,
      remaining: (ids) => this.#images.forgetAllBut(ids),
      policy: options.images,
    })
    void collection.run(this.#closing.signal)
  }

  async close(): Promise<void> {
    this.#closing.abort()
    this.#podNetwork?.close()
    this.#rotation.close()
    this.#cpuReconciler?.close()
    this.#staticPods.close()
    await this.#status.close()
    await this.#volumes.close()
    await this.#objects.close()
    await this.#events.flush()
    await this.#events.close()
    await this.#informers.close()
    this.#dependencies.platform.mounts.close()
    this.#dependencies.transport.close()
  }
}

/** Returns the object that represents a pod in the API: the pod itself, or the mirror of a static pod. */
function representationOf(stored: Pod | undefined, pod: Pod): Pod | undefined {
  if (!stored) return undefined
  return stored.metadata.uid === pod.metadata.uid || isMirrorPod(stored) ? stored : undefined
}

/** Resolves with undefined for a missing object instead of rejecting. */
function optionalObjects(objects: ConfigMapsAndSecrets): ConfigObjects {
  const absent = (error: unknown): undefined => {
    if (!hasReason(error, 'NotFound')) throw error
  }
  return {
    configMap: (namespace, name) => objects.configMap(namespace, name).catch(absent),
    secret: (namespace, name) => objects.secret(namespace, name).catch(absent),
  }
}
