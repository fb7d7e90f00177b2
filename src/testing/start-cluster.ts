import { hasReason } from '../api/errors.js'
import type { KubeObject } from '../api/kube-object.js'
import { sleep } from '../base/clock.js'
import { parseDuration, toMilliseconds } from '../base/duration.js'
import { environment as environmentOf } from '../base/environment.js'
import { seededRandom } from '../base/random.js'
import { started } from '../base/started.js'
import { type DurationLike, VirtualClock } from '../base/virtual-clock.js'
import { unfinishedNotices } from '../bin/unfinished.js'
import type { Client } from '../client/client.js'
import type { AnyObject } from '../client/resource-client.js'
import type { Schema } from '../schema/declaration.js'
import type { Instance } from '../schema/infer.js'
import { MemoryStore } from '../storage/memory/memory-store.js'
import type { Entrance } from './api-server.js'
import { startTestCluster, type TestCluster } from './cluster.js'
import { type Manifest, Manifests } from './manifests.js'
import { SimulatedNodes } from './simulated-nodes.js'

export interface StartClusterOptions {
  /** `virtual`: time stands still until it is told to move, and hours pass in milliseconds. `real` unless told. */
  readonly clock?: 'real' | 'virtual'
  /** Chance is repeatable: the same seed gives the same names, in the same order. Only on a virtual clock does that repeat everything. */
  readonly seed?: number
  /** The control loops, as `--controllers` names them: all that are on by themselves unless told. */
  readonly controllers?: readonly string[]
  /** How many nodes there are, with simulated containers: pods run on them, and no process does. One unless told. */
  readonly nodes?: number
  /** Where things go and are looked for that name no namespace; `default` unless told. */
  readonly namespace?: string
}

export interface WaitOptions {
  /** `default`, or what the cluster was told, unless given. */
  readonly namespace?: string
  /** How long it may take, by the cluster's own clock; 30 seconds unless told. */
  readonly timeout?: DurationLike
}

/** A whole control plane for one test suite. Any client of Kubernetes can use it. */
export interface Cluster extends Entrance, AsyncDisposable {
  /** An administrator's, without sockets. */
  readonly client: Client
  /** Brings objects, or YAML, to the cluster by server-side apply. Gives them as they are stored. */
  apply(...manifests: readonly Manifest[]): Promise<readonly KubeObject[]>
  /**
   * Resolves with the object when it is there and `condition` holds. A virtual clock is moved until it does. Rejects when it takes too long,
   * with the object as it was then.
   */
  waitFor<S extends Schema>(
    kind: S,
    name: string,
    condition?: (object: Instance<S> & AnyObject) => unknown,
    options?: WaitOptions,
  ): Promise<Instance<S> & AnyObject>
  /** Lets time pass on a virtual clock: `'1h30m'`, or milliseconds. */
  advance(span: DurationLike): Promise<void>
  /**
   * A second cluster with all that is in this one, from where both go on for themselves. Its nodes begin anew, as after a reboot: pods are
   * started there again.
   */
  fork(): Promise<Cluster>
  close(): Promise<void>
}

/** Starts a cluster in this process: an API server, the control loops, the scheduler and nodes. Nothing of it outlives `close`. */
export function startCluster(options: StartClusterOptions = {}): Promise<Cluster> {
  const clock = options.clock === 'virtual' ? new VirtualClock() : undefined
  const environment = environmentOf({ ...(clock && { clock }) })
  return Running.start(options, new MemoryStore({ environment }), clock)
}

/** How often somebody looks who waits for an object, in milliseconds. */
const lookEvery = 5
/** The same on a virtual clock, where looking costs more than waiting. */
const virtualStep = 100

interface ClusterParts {
  readonly cluster: TestCluster
  readonly nodes: SimulatedNodes
  readonly store: MemoryStore
}

class Running implements Cluster {
  readonly #cluster: TestCluster
  readonly #nodes: SimulatedNodes
  readonly #store: MemoryStore
  readonly #options: StartClusterOptions
  readonly #clock: VirtualClock | undefined
  readonly #manifests: Manifests
  /** Where all that names no namespace is. */
  readonly #namespace: string
  #forks = 0

  private constructor({ cluster, nodes, store }: ClusterParts, options: StartClusterOptions, clock?: VirtualClock) {
    this.#cluster = cluster
    this.#nodes = nodes
    this.#store = store
    this.#options = options
    this.#clock = clock
    this.#namespace = options.namespace ?? 'default'
    this.#manifests = new Manifests(cluster.client)
  }

  static async start(options: StartClusterOptions, store: MemoryStore, clock?: VirtualClock): Promise<Running> {
    const { controllers, seed } = options
    const environment = environmentOf({
      ...(clock && { clock }),
      ...(seed !== undefined && { random: seededRandom(seed) }),
    })
    const cluster = await startTestCluster({
      store,
      environment,
      allowPrivileged: true,
      scheduler: true,
      isChecked: false,
      options: { notices: unfinishedNotices() },
      ...(controllers && { controllers }),
    })
    const nodes = new SimulatedNodes(cluster)
    await nodes.start(options.nodes ?? 1)
    started.publish(undefined)
    return new Running({ cluster, nodes, store }, options, clock)
  }

  get client(): Client {
    return this.#cluster.client
  }
  get url(): string {
    return this.#cluster.url
  }
  get token(): string {
    return this.#cluster.token
  }
  get authority(): string {
    return this.#cluster.authority
  }
  get kubeconfig(): string {
    return this.#cluster.kubeconfig
  }

  apply(...manifests: readonly Manifest[]): Promise<readonly KubeObject[]> {
    return this.#manifests.apply(manifests, this.#namespace)
  }

  async waitFor<S extends Schema>(
    kind: S,
    name: string,
    condition: (object: Instance<S> & AnyObject) => unknown = () => true,
    { namespace = this.#namespace, timeout = '30s' }: WaitOptions = {},
  ): Promise<Instance<S> & AnyObject> {
    const resource = this.client.resource(kind)
    const inside = resource.location.namespaced ? resource.in(namespace) : resource
    let seen: (Instance<S> & AnyObject) | undefined
    const isSo = async () => {
      seen = await inside.get(name).catch(absent)
      return seen !== undefined && Boolean(condition(seen))
    }
    if (!(await this.#untilTrue(isSo, timeout)))
      throw new Error(
        `${kind.name} ${name} was not as wanted within ${timeout}; it is ${JSON.stringify(seen, null, 2)}`,
      )
    return seen!
  }

  async #untilTrue(isSo: () => Promise<boolean>, timeout: DurationLike): Promise<boolean> {
    const { clock } = this.#cluster.environment
    const until = clock.monotonic() + milliseconds(timeout)
    for (;;) {
      if (await isSo()) return true
      const left = until - clock.monotonic()
      if (left <= 0) return false
      if (this.#clock) await this.#clock.advance(Math.min(left, virtualStep))
      else await sleep(clock, lookEvery)
    }
  }

  async advance(span: DurationLike): Promise<void> {
    if (!this.#clock) throw new Error("time moves by itself here; start the cluster with { clock: 'virtual' }")
    await this.#clock.advance(span)
  }

  fork(): Promise<Cluster> {
    const clock = this.#clock && new VirtualClock({ start: this.#clock.now() })
    const store = this.#store.fork({ environment: environmentOf({ ...(clock && { clock }) }) })
    // The same numbers again would make new objects that have the uids of old ones.
    const { seed } = this.#options
    const options = seed === undefined ? this.#options : { ...this.#options, seed: seed + ++this.#forks }
    return Running.start(options, store, clock)
  }

  async close(): Promise<void> {
    await this.#nodes.close()
    await this.#cluster.close()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }
}

function absent(error: unknown): undefined {
  if (!hasReason(error, 'NotFound')) throw error
}

function milliseconds(span: DurationLike): number {
  return typeof span === 'number' ? span : toMilliseconds(parseDuration(span))
}
