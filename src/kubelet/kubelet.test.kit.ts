import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Namespace } from '../api/core/v1/namespace.js'
import type { PodSpec } from '../api/core/v1/pod/spec.js'
import { Pod } from '../api/core/v1/pod.js'
import { ServiceAccount } from '../api/core/v1/service-account.js'
import { hasReason } from '../api/errors.js'
import { type Environment, environment as realEnvironment } from '../base/environment.js'
import { logger } from '../base/logging.js'
import { seededRandom } from '../base/random.js'
import { VirtualClock } from '../base/virtual-clock.js'
import { Client } from '../client/client.js'
import { inProcessTransport } from '../client/in-process.js'
import { Informers } from '../client/informers/informers.js'
import type { Transport } from '../client/transport.js'
import { inProcessRuntime } from '../cri/in-process.js'
import type { ContainerRuntime } from '../cri/interface/services.js'
import { type SimulatedRuntime, simulatedRuntime } from '../cri/simulated/simulated-runtime.js'
import { startTestApiServer, type TestApiServer } from '../testing/servers/api-server.js'
import { administrator, inProcessClient } from '../testing/servers/clients.js'
import {
  FakeNodeState,
  TestEvents,
  TestHooks,
  TestProber,
  TestStaticPods,
  TestStatuses,
  testCgroups,
  testConfigs,
  testImages,
  testVolumes,
} from './fakes.test.kit.js'
import { type KubeletDependencies, type RunningKubelet, startKubelet } from './kubelet.js'
import type { NodeIdentity } from './node/node-identity.js'
import { podStatus } from './status/pod-status.js'

export interface KubeletHarnessOptions {
  readonly seed?: number
  readonly dependencies?: Partial<KubeletDependencies>
}

interface Life {
  readonly kubelet: RunningKubelet
  readonly informers: Informers
  readonly statuses: TestStatuses
  die(): void
}

/** An API server, a simulated runtime and a kubelet that can be killed, on a virtual clock. */
export class KubeletHarness implements AsyncDisposable {
  readonly clock: VirtualClock
  readonly environment: Environment
  readonly server: TestApiServer
  /** Authenticates as an administrator. */
  readonly client: Client
  /** The kubelet's runtime, which is never killed. */
  readonly runtime: ContainerRuntime
  readonly identity: NodeIdentity
  readonly things = new FakeNodeState()
  readonly events = new TestEvents()
  readonly hooks = new TestHooks()
  readonly prober = new TestProber()
  readonly staticPods: TestStaticPods
  /** Logged errors of the kubelet. */
  readonly complaints: string[]
  readonly #folder: string
  readonly #simulated: SimulatedRuntime
  readonly #dependencies: Partial<KubeletDependencies>
  #life: Life | undefined

  private constructor(
    made: { clock: VirtualClock; server: TestApiServer; simulated: SimulatedRuntime; complaints: string[] },
    dependencies: Partial<KubeletDependencies>,
  ) {
    this.clock = made.clock
    this.server = made.server
    this.complaints = made.complaints
    this.environment = made.server.environment
    this.client = inProcessClient(made.server)
    this.#simulated = made.simulated
    this.runtime = inProcessRuntime(made.simulated, { environment: this.environment })
    this.staticPods = new TestStaticPods(this.client)
    this.#dependencies = dependencies
    this.#folder = mkdtempSync(join(tmpdir(), 'proa-kubelet-'))
    this.identity = {
      nodeName: 'n1',
      rootFolder: join(this.#folder, 'root'),
      podLogsFolder: join(this.#folder, 'logs'),
      hostAddresses: ['192.168.0.1'],
      clusterDomain: 'cluster.local',
      clusterDns: ['10.96.0.10'],
    }
  }

  static async begin({ seed = 1, dependencies = {} }: KubeletHarnessOptions = {}): Promise<KubeletHarness> {
    const clock = new VirtualClock()
    const complaints: string[] = []
    const log = logger({
      now: () => clock.now(),
      write: ({ message, fields }) => complaints.push(`${message}: ${fields.error}`),
    })
    const environment = realEnvironment({ clock, random: seededRandom(seed), log })
    const server = await startTestApiServer({ environment })
    const simulated = await simulatedRuntime({ environment })
    const harness = new KubeletHarness({ clock, server, simulated, complaints }, dependencies)
    await harness.settle(harness.client.resource(Namespace).create({ metadata: { name: 'ns' } }))
    await harness.settle(
      harness.client.resource(ServiceAccount).create({ metadata: { name: 'default', namespace: 'ns' } }),
    )
    return harness
  }

  /** `between` wraps the runtime for the kubelet. */
  start(between: (runtime: ContainerRuntime) => ContainerRuntime = (runtime) => runtime): void {
    const dead = new AbortController()
    const client = new Client(mortal(this.server, dead.signal), { clock: this.clock })
    const runtime = between(inProcessRuntime(this.#simulated, { environment: this.environment }))
    const informers = new Informers(client, this.environment)
    const statuses = new TestStatuses(client)
    const { environment, identity, events, hooks, staticPods, things } = this
    const kubelet = startKubelet({
      environment,
      identity,
      runtime,
      informers,
      events,
      hooks,
      staticPods,
      mirrors: staticPods,
      images: testImages(runtime),
      volumes: testVolumes(things),
      cgroups: testCgroups(things),
      configs: testConfigs(identity),
      prober: () => this.prober,
      status: statuses,
      podStatus: podStatus,
      admit: () => undefined,
      ...this.#dependencies,
    })
    this.#life = { kubelet, informers, statuses, die: () => dead.abort(new Error('killed')) }
  }

  get kubelet(): RunningKubelet {
    return this.#life!.kubelet
  }

  /** Stops the kubelet at once. Calls in progress have no effect. */
  async kill(): Promise<void> {
    const life = this.#life
    if (!life) return
    this.#life = undefined
    life.die()
    await this.settle(Promise.all([life.kubelet.close(), life.informers.close()]))
  }

  async settle<T>(work: Promise<T>): Promise<T> {
    let isDone = false
    const watched = work.finally(() => (isDone = true))
    watched.catch(() => {}) // the caller gets the error
    await this.clock.settle()
    if (!isDone) await this.clock.runUntil(() => isDone)
    await this.clock.settle()
    return watched
  }

  /** Creates a pod on this node. */
  async create(name: string, spec: Partial<PodSpec>, annotations: Readonly<Record<string, string>> = {}): Promise<Pod> {
    const whole = { terminationGracePeriodSeconds: 5, automountServiceAccountToken: false, nodeName: 'n1', ...spec }
    const metadata = { name, namespace: 'ns', annotations }
    return this.settle(
      this.client
        .resource(Pod)
        .in('ns')
        .create({ metadata, spec: { containers: [main()], ...whole } }),
    )
  }

  async get(name: string): Promise<Pod | undefined> {
    const asked = this.client.resource(Pod).in('ns').get(name)
    return this.settle(
      asked.catch((error: unknown) => {
        if (hasReason(error, 'NotFound')) return undefined
        throw error
      }),
    )
  }

  async delete(name: string, gracePeriodSeconds?: number): Promise<void> {
    const options = gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds }
    await this.settle(this.client.resource(Pod).in('ns').delete(name, options))
  }

  /** Returns `web:RUNNING:0` for each container of the runtime: name, state, restart count; oldest first. */
  async containers(): Promise<readonly string[]> {
    const { containers } = await this.settle(this.runtime.listContainers({}))
    return containers
      .toSorted((one, other) => Number(one.createdAt - other.createdAt))
      .map(({ metadata, state }) => `${metadata?.name}:${state.replace('CONTAINER_', '')}:${metadata?.attempt}`)
  }

  async sandboxes(): Promise<readonly string[]> {
    const { items } = await this.settle(this.runtime.listPodSandbox({}))
    return items.map(({ metadata, state }) => `${metadata?.name}:${state.replace('SANDBOX_', '')}:${metadata?.attempt}`)
  }

  /** Returns everything on the node, of all pods. */
  async everything(): Promise<readonly string[]> {
    const { volumes, cgroups } = this.things
    return [...(await this.sandboxes()), ...(await this.containers()), ...volumes, ...cgroups]
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill()
    await this.settle(this.#simulated.close())
    await this.server.close()
    rmSync(this.#folder, { recursive: true, force: true })
  }
}

export function main(more: Partial<PodSpec['containers'][number]> = {}): PodSpec['containers'][number] {
  return { name: 'web', image: 'web:1', ...more }
}

/** Configures containers of the simulated runtime. */
export function behaviour(containers: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> {
  const entries = Object.entries(containers).map(([name, does]) => [
    `simulation.proa.dev/${name}`,
    JSON.stringify(does),
  ])
  return Object.fromEntries(entries) as Record<string, string>
}

function mortal({ api }: TestApiServer, dead: AbortSignal): Transport {
  const transport = inProcessTransport({ handle: api.handleInProcess, user: administrator })
  return {
    ...transport,
    send: (request) => (dead.aborted ? Promise.reject(new Error('killed')) : transport.send(request)),
  }
}
