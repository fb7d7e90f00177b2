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

/** What a kubelet is made of. Whoever hands these in also closes them, after the kubelet. */
export interface KubeletDependencies {
  readonly environment: Environment
  readonly identity: NodeIdentity
  readonly runtime: ContainerRuntime
  readonly informers: Informers
  readonly events: EventRecorder
  readonly images: Images
  readonly volumes: Volumes
  readonly cgroups: PodCgroups
  /** Where whole cores are handed out. */
  readonly cpus?: PodCpus | undefined
  readonly configs: ContainerConfigs
  readonly hooks: Hooks
  /** Is given whom to tell of results. Closed with the kubelet. */
  readonly prober: (changed: ProbeListener) => Prober
  readonly status: StatusManager
  readonly podStatus: (input: PodStatusInput) => PodStatus
  /** Whether this node takes a pod. */
  readonly admit: AdmitPod
  /** What keeps a pod from running for now. Nothing, unless told. */
  readonly obstacle?: (pod: Pod) => WaitingReason | undefined
  readonly staticPods: StaticPods
  readonly mirrors: MirrorPods
  readonly options?: KubeletOptions
}

export interface KubeletOptions {
  /** Milliseconds after which each pod is looked at though nothing happened: 20 s, unless told. */
  readonly resyncPeriod?: number
  /** Milliseconds between two sweeps for what nobody knows: a minute, unless told. */
  readonly sweepPeriod?: number
  readonly crashLoop?: CrashLoopOptions
}

export interface RunningKubelet {
  /** Resolves when it knows which pods there are, and what the runtime has. */
  readonly synced: Promise<void>
  /** Each with the newest status that is known. */
  list(): readonly Pod[]
  get(namespace: string, name: string): Pod | undefined
  /** What the runtime has of a pod, as last seen. */
  observed(uid: string): ObservedPod
  /** What the runtime has of all of them. */
  allObserved(): readonly ObservedPod[]
  /** Throws if this kubelet does not see to its pods any more. */
  checkHealth(): void
  /** Has a pod looked at. */
  resync(uid: string): void
  /** Lets everything run that runs. */
  close(): Promise<void>
}

/** Sees to it that the pods of this node run. */
export function startKubelet(dependencies: KubeletDependencies): RunningKubelet {
  return new Kubelet(dependencies)
}

/** Milliseconds before a runtime is asked again that did not answer. */
const runtimeRetry = 1000
/** After which a kubelet that has not seen its runtime is not well. */
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
    this.synced.catch(() => {}) // whoever waits for it is told; others need not
  }

  list(): readonly Pod[] {
    return this.#workers.all().map(({ state }) => ({ ...state.pod, status: state.status }))
  }

  get(namespace: string, name: string): Pod | undefined {
    const all = this.list().filter(({ metadata }) => metadata.namespace === namespace && metadata.name === name)
    // One that was deleted may still be ending.
    return all.find(({ metadata }) => metadata.deletionTimestamp === undefined) ?? all[0]
  }

  observed(uid: string): ObservedPod {
    return this.#view.pod(uid)
  }

  allObserved(): readonly ObservedPod[] {
    return this.#view.pods()
  }

  /** All that it does for pods follows from looks at the runtime. */
  checkHealth(): void {
    const silence = this.#watch.timeSinceRelist()
    if (silence > longestSilence) throw new Error(`the container runtime was not seen for ${silence} ms`)
  }

  resync(uid: string): void {
    this.#workers.wake(uid)
  }

  async close(): Promise<void> {
    this.#closing.abort(new Error('the kubelet was closed'))
    this.#sources?.close()
    await Promise.all([this.#housekeeping?.close(), this.#watch.close(), this.#workers.close()])
    this.#prober.close()
  }

  /** The runtime is seen first: otherwise what runs already would be taken for missing. */
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
        environment.log.debug('the container runtime does not tell its name', { error })
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

/** What the runtime calls the way in which a pod's runtime class wants it run. Classes are only looked at once a pod names one. */
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
