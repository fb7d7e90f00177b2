import type { PodStatus } from '../api/core/v1/pod/status.js'
import { Pod } from '../api/core/v1/pod.js'
import { RuntimeClass } from '../api/node/v1/runtime-class.js'
import { sleep } from '../base/clock.js'
import type { Environment } from '../base/environment.js'
import type { EventRecorder } from '../client/events/event-recorder.js'
import type { Informers } from '../client/informers/informers.js'
import type { ContainerRuntime } from '../cri/interface/services.js'
import { quote } from '../schema/quote.js'
import type { PodCgroups } from './cgroups/pod-cgroups.js'
import type { ContainerConfigs } from './containers/container-configs.js'
import type { PodCpus } from './cpus/pod-cpus.js'
import type { Hooks } from './hooks/hooks.js'
import type { Images } from './images/images.js'
import type { NodeIdentity } from './node/node-identity.js'
import { Housekeeping } from './pods/housekeeping.js'
import { Orphans } from './pods/orphans.js'
import { PodSources } from './pods/pod-sources.js'
import { type AdmitPod, PodWorkers } from './pods/pod-workers.js'
import type { ProbeListener, Prober } from './probes/prober.js'
import type { ObservedPod } from './runtime/observed-pod.js'
import { RuntimeView } from './runtime/runtime-view.js'
import { RuntimeWatch } from './runtime/runtime-watch.js'
import type { MirrorPods, StaticPods } from './static/static-pods.js'
import type { PodStatusInput, WaitingReason } from './status/pod-status-input.js'
import type { StatusManager } from './status/status-manager.js'
import { CrashLoopBackoff, type CrashLoopOptions } from './sync/crash-loop-backoff.js'
import { PodSync } from './sync/pod-sync.js'
import type { SyncDependencies } from './sync/sync-dependencies.js'
import { SyncMetrics } from './sync/sync-metrics.js'
import type { Volumes } from './volumes/volumes.js'

/** The collaborators of a kubelet. The caller closes them after the kubelet. */
export interface KubeletDependencies {
  readonly environment: Environment
  readonly identity: NodeIdentity
  readonly runtime: ContainerRuntime
  readonly informers: Informers
  readonly events: EventRecorder
  readonly images: Images
  readonly volumes: Volumes
  readonly cgroups: PodCgroups
  /** Set if the static CPU manager policy is on. */
  readonly cpus?: PodCpus | undefined
  readonly configs: ContainerConfigs
  readonly hooks: Hooks
  /** Creates the prober, given a listener for result changes. Closed with the kubelet. */
  readonly prober: (changed: ProbeListener) => Prober
  readonly status: StatusManager
  readonly podStatus: (input: PodStatusInput) => PodStatus
  /** Decides whether this node accepts a pod. */
  readonly admit: AdmitPod
  /** Returns what keeps a pod from running for now. Defaults to nothing. */
  readonly obstacle?: (pod: Pod) => WaitingReason | undefined
  readonly staticPods: StaticPods
  readonly mirrors: MirrorPods
  readonly options?: KubeletSyncOptions
}

export interface KubeletSyncOptions {
  /** Milliseconds between two syncs of a pod to which nothing happened. Defaults to 20 s. */
  readonly resyncPeriod?: number
  /** Milliseconds between two sweeps for orphaned pods. Defaults to one minute. */
  readonly sweepPeriod?: number
  readonly crashLoop?: CrashLoopOptions
}

export interface RunningKubelet {
  /** Resolves when the pods of this node and the state of the runtime are known. */
  readonly synced: Promise<void>
  /** Returns all pods, each with its newest known status. */
  list(): readonly Pod[]
  get(namespace: string, name: string): Pod | undefined
  /** Returns what the runtime has of a pod, as last observed. */
  observed(uid: string): ObservedPod
  /** Returns what the runtime has of all pods, as last observed. */
  allObserved(): readonly ObservedPod[]
  /** Throws if this kubelet no longer observes its runtime. */
  checkHealth(): void
  /** Syncs a pod as soon as possible. */
  resync(uid: string): void
  /** Stops the kubelet. Running containers keep running. */
  close(): Promise<void>
}

/** Starts a kubelet that runs the pods of this node. */
export function startKubelet(dependencies: KubeletDependencies): RunningKubelet {
  return new Kubelet(dependencies)
}

/** Milliseconds before the runtime is asked for its version again. */
const runtimeRetry = 1000
/** Milliseconds without a relist after which the kubelet is unhealthy. */
const longestSilence = 120_000

class Kubelet implements RunningKubelet {
  readonly #dependencies: KubeletDependencies
  readonly #closing = new AbortController()
  readonly #view: RuntimeView
  readonly #watch: RuntimeWatch
  readonly #prober: Prober
  readonly #workers: PodWorkers
  readonly #orphans: Orphans
  readonly synced: Promise<void>
  #runtimeName = ''
  #sources: PodSources | undefined
  #housekeeping: Housekeeping | undefined

  constructor(dependencies: KubeletDependencies) {
    const { environment, runtime, options = {} } = dependencies
    this.#dependencies = dependencies
    this.#view = new RuntimeView(runtime)
    this.#prober = dependencies.prober((uid) => this.resync(uid))
    const shared = this.#syncParts()
    this.#orphans = new Orphans({ ...shared, signal: this.#closing.signal })
    const { resyncPeriod = 20_000 } = options
    const { admit } = dependencies
    this.#workers = new PodWorkers({
      ...shared,
      sync: new PodSync(shared),
      orphans: this.#orphans,
      admit,
      resyncPeriod,
    })
    this.#view.onChange((uid) => {
      shared.metrics.countObserved(this.#view.pod(uid))
      this.resync(uid)
    })
    this.#watch = new RuntimeWatch({ runtime, view: this.#view, environment })
    this.synced = this.#start()
    this.synced.catch(() => {}) // callers that await it see the error
  }

  list(): readonly Pod[] {
    return this.#workers.all().map(({ state }) => ({ ...state.pod, status: state.status }))
  }

  get(namespace: string, name: string): Pod | undefined {
    const all = this.list().filter(({ metadata }) => metadata.namespace === namespace && metadata.name === name)
    // A deleted pod of the same name may still be terminating.
    return all.find(({ metadata }) => metadata.deletionTimestamp === undefined) ?? all[0]
  }

  observed(uid: string): ObservedPod {
    return this.#view.pod(uid)
  }

  allObserved(): readonly ObservedPod[] {
    return this.#view.pods()
  }

  checkHealth(): void {
    const silence = this.#watch.timeSinceRelist()
    if (silence > longestSilence) throw new Error(`the container runtime was not observed for ${silence} ms`)
  }

  resync(uid: string): void {
    this.#workers.wake(uid)
  }

  async close(): Promise<void> {
    this.#closing.abort(new Error('the kubelet is shutting down'))
    this.#sources?.close()
    await Promise.all([this.#housekeeping?.close(), this.#watch.close(), this.#workers.close()])
    this.#prober.close()
  }

  /** Observes the runtime before it reads the pods. Otherwise running containers would count as missing. */
  async #start(): Promise<void> {
    const { environment, informers, identity, staticPods, mirrors, options = {} } = this.#dependencies
    const informer = informers.of(Pod, { fieldSelector: `spec.nodeName=${identity.nodeName}` })
    await Promise.all([this.#watch.synced, this.#meetRuntime()])
    this.#closing.signal.throwIfAborted()
    const sources = new PodSources({ environment, informer, staticPods, mirrors, workers: this.#workers })
    this.#sources = sources
    await sources.synced
    this.#closing.signal.throwIfAborted()
    const sweepPeriod = options.sweepPeriod ?? 60_000
    const { cpus } = this.#dependencies
    const dependencies = { environment, sources, workers: this.#workers, orphans: this.#orphans, cpus, sweepPeriod }
    this.#housekeeping = new Housekeeping(dependencies)
  }

  async #meetRuntime(): Promise<void> {
    const { runtime, environment } = this.#dependencies
    const { signal } = this.#closing
    while (this.#runtimeName === '')
      try {
        this.#runtimeName = (await runtime.version({}, { signal })).runtimeName
      } catch (error) {
        signal.throwIfAborted()
        environment.log.debug('container runtime version unknown', { error })
        await sleep(environment.clock, runtimeRetry, signal)
      }
  }

  #syncParts(): SyncDependencies {
    const { options = {}, obstacle = () => undefined, prober: _, admit: __, ...dependencies } = this.#dependencies
    return {
      ...dependencies,
      view: this.#view,
      prober: this.#prober,
      obstacle,
      crashLoop: new CrashLoopBackoff(dependencies.environment.clock, options.crashLoop),
      metrics: new SyncMetrics(dependencies.environment.metrics),
      runtimeName: () => this.#runtimeName,
      runtimeHandler: runtimeHandlers(dependencies.informers),
    }
  }
}

/** Returns a function that maps a pod to the runtime handler of its RuntimeClass. Watches RuntimeClasses only once a pod names one. */
function runtimeHandlers(informers: Informers): (pod: Pod) => Promise<string> {
  return async ({ spec }) => {
    const name = spec.runtimeClassName
    if (!name) return ''
    const classes = informers.of(RuntimeClass)
    await classes.synced
    const found = classes.get(name)
    if (!found) throw new Error(`failed to get sandbox runtime: runtimeclass.node.k8s.io ${quote(name)} not found`)
    return found.handler
  }
}
