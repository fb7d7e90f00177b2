import { hasReason } from '../api/errors.js'
import type { KubeObject } from '../api/kube-object.js'
import { type Clock, sleep, systemClock } from '../base/clock.js'
import { type Environment, environment as environmentOf } from '../base/environment.js'
import { seededRandom } from '../base/random.js'
import { started } from '../base/started.js'
import { type DurationLike, spanInMilliseconds, VirtualClock } from '../base/virtual-clock.js'
import { unfinishedWarnings } from '../bin/up/unfinished-resources.js'
import type { Client } from '../client/client.js'
import type { InProcessUser } from '../client/in-process.js'
import type { AnyObject } from '../client/resource-client.js'
import type { Transport } from '../client/transport.js'
import type { Schema } from '../schema/declaration.js'
import type { Instance } from '../schema/infer.js'
import { MemoryStore } from '../storage/memory/memory-store.js'
import { startTestCluster, type TestCluster } from './cluster.js'
import { type ClusterAccess, type ClusterUser, closedMessage, inProcessUser, UserAccess } from './cluster-access.js'
import {
  admissionPluginNames,
  checkClusterOptions,
  checkWait,
  type StartClusterOptions,
  type WaitOptions,
} from './cluster-options.js'
import { filesAreQuiet } from './file-requests.js'
import { type Manifest, Manifests } from './manifests.js'
import { OutsideClients } from './outside-clients.js'
import { holdProcess } from './process-hold.js'
import type { ApiServerAccess } from './servers/api-server.js'
import { administrator } from './servers/clients.js'
import { SimulatedNodes } from './simulated-nodes.js'
import { makeFolder, removeFolder } from './temporary-folders.js'

/** A whole control plane for one test suite. Any client of Kubernetes can use it. What it gives itself is an administrator's. */
export interface Cluster extends ApiServerAccess, ClusterAccess, AsyncDisposable {
  /** What components and operators in this cluster take for the time. */
  readonly clock: Clock
  /** The cluster as somebody else reaches it: `as({ user: 'jane', groups: ['team'] })`, `as({ serviceAccount: 'operator' })`. */
  as(user: ClusterUser): ClusterAccess
  /** Applies objects or YAML by server-side apply. Resolves with the objects as they are stored. */
  apply(...manifests: readonly Manifest[]): Promise<readonly KubeObject[]>
  /**
   * Resolves with the object as soon as it exists and `condition` returns something true for it. Moves a virtual clock until then. Rejects
   * after the timeout, with the object as it is then. While clients are connected over the network, it waits for five seconds of real time
   * at least: such a client may be at work.
   */
  waitFor<S extends Schema>(
    kind: S,
    name: string,
    condition?: (object: Instance<S> & AnyObject) => unknown,
    options?: WaitOptions,
  ): Promise<Instance<S> & AnyObject>
  /** Moves a virtual clock: `'1h30m'`, or milliseconds. */
  advance(span: DurationLike): Promise<void>
  /** Holds a virtual clock until `work`, which needs real time, has settled. Returns `work`. */
  hold<T>(work: Promise<T>): Promise<T>
  /**
   * Starts a second cluster with everything that is in this one. From then on they share nothing. Its nodes begin anew, as after a reboot:
   * pods are started there again.
   */
  fork(): Promise<Cluster>
  close(): Promise<void>
}

/**
 * Starts a cluster in this process: an API server, the controllers, the scheduler and nodes. Nothing of it outlives `close`, nor the process;
 * it does not keep the process alive. Throws a `TypeError` for options that make no sense.
 */
export async function startCluster(options: StartClusterOptions = {}): Promise<Cluster> {
  checkClusterOptions(options)
  const clock = options.clock === 'virtual' ? new VirtualClock() : undefined
  const environment = environmentOf({ ...(clock && { clock }) })
  return holdProcess(Running.start(options, new MemoryStore({ environment }), clock))
}

/** In milliseconds: how often `waitFor` looks at the object on a real clock, and on a virtual one, where looking costs more than waiting. */
const realInterval = 5
const virtualInterval = 100
/** In milliseconds of real time: for how long `waitFor` waits for outside clients, whatever a virtual clock says. */
const outsidePatience = 5000

interface ClusterParts {
  readonly cluster: TestCluster
  readonly nodes: SimulatedNodes
  readonly store: MemoryStore
  readonly outside: OutsideClients
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
  readonly #outside: OutsideClients
  /** Of kubeconfigs. */
  readonly #folder = makeFolder('access')
  readonly #access: UserAccess
  readonly #others: UserAccess[] = []
  #forks = 0
  #closing: Promise<void> | undefined

  private constructor(
    { cluster, nodes, store, outside }: ClusterParts,
    options: StartClusterOptions,
    clock?: VirtualClock,
  ) {
    this.#cluster = cluster
    this.#nodes = nodes
    this.#store = store
    this.#options = options
    this.#clock = clock
    this.#namespace = options.namespace ?? 'default'
    this.#outside = outside
    this.#access = this.#accessOf(administrator)
    this.#manifests = new Manifests(this.#access.client)
  }

  static async start(options: StartClusterOptions, store: MemoryStore, clock?: VirtualClock): Promise<Running> {
    const { controllers, seed, featureGates = {} } = options
    const environment = environmentOf({
      ...(clock && { clock }),
      ...(seed !== undefined && { random: seededRandom(seed) }),
    })
    const outside = new OutsideClients()
    clock?.addGate(outside.quiet)
    clock?.addGate(filesAreQuiet)
    const cluster = await startTestCluster({
      store,
      environment,
      allowPrivileged: true,
      scheduler: true,
      isChecked: false,
      options: {
        notices: unfinishedWarnings(),
        isBackground: true,
        traffic: outside,
        featureGates,
        admission: admissionPluginNames(options.admissionPlugins),
      },
      ...(controllers && { controllers }),
    })
    const nodes = new SimulatedNodes(cluster)
    await nodes.start(options.nodes ?? 1)
    started.publish(undefined)
    return new Running({ cluster, nodes, store, outside }, options, clock)
  }

  #accessOf(user: InProcessUser): UserAccess {
    const isClosed = () => this.#closing !== undefined
    return new UserAccess({ server: this.#cluster, user, folder: this.#folder, isClosed })
  }

  as(user: ClusterUser): ClusterAccess {
    this.#checkOpen()
    const access = this.#accessOf(inProcessUser(user, this.#namespace))
    this.#others.push(access)
    return access
  }

  get client(): Client {
    return this.#access.client
  }
  get transport(): Transport {
    return this.#access.transport
  }
  get environment(): Environment {
    return this.#cluster.environment
  }
  get clock(): Clock {
    return this.#cluster.environment.clock
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

  async apply(...manifests: readonly Manifest[]): Promise<readonly KubeObject[]> {
    this.#checkOpen()
    return holdProcess(this.#manifests.apply(manifests, this.#namespace))
  }

  async waitFor<S extends Schema>(
    kind: S,
    name: string,
    condition: (object: Instance<S> & AnyObject) => unknown = () => true,
    options: WaitOptions = {},
  ): Promise<Instance<S> & AnyObject> {
    this.#checkOpen()
    checkWait(kind, name, condition, options)
    const { namespace = this.#namespace, timeout = '30s' } = options
    const resource = this.client.resource(kind)
    const inside = resource.location.namespaced ? resource.in(namespace) : resource
    let seen: (Instance<S> & AnyObject) | undefined
    const holds = async () => {
      seen = await inside.get(name).catch(absent)
      return seen !== undefined && Boolean(condition(seen))
    }
    if (!(await holdProcess(this.#untilTrue(holds, timeout))))
      throw new Error(`${resource.location.kind} ${name} was not as wanted within ${timeout}; ${described(seen)}`)
    return seen!
  }

  async #untilTrue(holds: () => Promise<boolean>, timeout: DurationLike): Promise<boolean> {
    const { clock } = this
    const until = clock.monotonic() + spanInMilliseconds(timeout)
    const outsideUntil = systemClock.monotonic() + outsidePatience
    for (;;) {
      if (await holds()) return true
      this.#checkOpen()
      const left = until - clock.monotonic()
      if (left > 0) await (this.#clock?.advance(Math.min(left, virtualInterval)) ?? sleep(clock, realInterval))
      else if (this.#clock && this.#outside.areConnected && systemClock.monotonic() < outsideUntil)
        await sleep(systemClock, realInterval)
      else return false
    }
  }

  async advance(span: DurationLike): Promise<void> {
    this.#checkOpen()
    if (!this.#clock) throw new Error("time moves by itself here; start the cluster with { clock: 'virtual' }")
    await holdProcess(this.#clock.advance(span))
  }

  hold<T>(work: Promise<T>): Promise<T> {
    return this.#clock ? this.#clock.hold(work) : work
  }

  #checkOpen(): void {
    if (this.#closing) throw new Error(closedMessage)
  }

  async fork(): Promise<Cluster> {
    this.#checkOpen()
    const clock = this.#clock && new VirtualClock({ start: this.#clock.now() })
    const store = this.#store.fork({ environment: environmentOf({ ...(clock && { clock }) }) })
    // The same numbers again would make new objects that have the uids of old ones.
    const { seed } = this.#options
    const options = seed === undefined ? this.#options : { ...this.#options, seed: seed + ++this.#forks }
    return holdProcess(Running.start(options, store, clock))
  }

  close(): Promise<void> {
    this.#closing ??= holdProcess(this.#close())
    return this.#closing
  }

  async #close(): Promise<void> {
    for (const access of [this.#access, ...this.#others]) access.close()
    await this.#nodes.close()
    await this.#cluster.close()
    removeFolder(this.#folder)
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }
}

function absent(error: unknown): undefined {
  if (!hasReason(error, 'NotFound')) throw error
}

function described(object: object | undefined): string {
  return object === undefined ? 'there is no such object' : `it is ${JSON.stringify(object, null, 2)}`
}
