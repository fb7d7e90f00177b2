import { Event } from '../api/core/v1/event.js'
import { Node } from '../api/core/v1/node.js'
import { Pod } from '../api/core/v1/pod.js'
import { ServiceAccount } from '../api/core/v1/service-account.js'
import { type Environment, environment as realEnvironment } from '../base/environment.js'
import { seededRandom } from '../base/random.js'
import { VirtualClock } from '../base/virtual-clock.js'
import type { Client } from '../client/client.js'
import type { Transport } from '../client/transport.js'
import { startTestApiServer, type TestApiServer } from '../testing/servers/api-server.js'
import { inProcessClient } from '../testing/servers/clients.js'
import { type RunningScheduler, type SchedulerOptions, schedulerTransport, startScheduler } from './scheduler.js'
import { type NodeParts, type PodParts, sampleNode, samplePod } from './scheduler.test.kit.js'

export interface StartOptions extends Pick<SchedulerOptions, 'profiles' | 'queue' | 'extenders'> {
  /** Wraps the transport between scheduler and server. */
  readonly transport?: (transport: Transport) => Transport
}

/** An in-memory API server on a virtual clock, and any number of schedulers. */
export class SchedulerHarness implements AsyncDisposable {
  readonly clock: VirtualClock
  readonly environment: Environment
  readonly server: TestApiServer
  readonly client: Client
  readonly #schedulers = new Set<RunningScheduler>()

  private constructor(clock: VirtualClock, environment: Environment, server: TestApiServer) {
    this.clock = clock
    this.environment = environment
    this.server = server
    this.client = inProcessClient(server)
  }

  static async create(seed = 1): Promise<SchedulerHarness> {
    const clock = new VirtualClock()
    const environment = realEnvironment({ clock, random: seededRandom(seed) })
    const harness = new SchedulerHarness(clock, environment, await startTestApiServer({ environment }))
    await harness.client.resource(ServiceAccount).create({ metadata: { name: 'default', namespace: 'default' } })
    return harness
  }

  /** Starts a scheduler and waits until its informers are synced. */
  async startScheduler({ transport = (inner) => inner, ...options }: StartOptions = {}): Promise<RunningScheduler> {
    const { environment, server } = this
    const wrapped = transport(schedulerTransport(server.api.handleInProcess))
    const scheduler = startScheduler({ environment, transport: wrapped, ...options })
    this.#schedulers.add(scheduler)
    await this.settle()
    return scheduler
  }

  /** Stops a scheduler at once, as if its process were killed. */
  async stopScheduler(scheduler: RunningScheduler): Promise<void> {
    this.#schedulers.delete(scheduler)
    await scheduler.close()
  }

  /** Waits until nothing more happens without time moving. */
  async settle(): Promise<void> {
    await this.clock.advance(0)
  }

  /** Without the not-ready taint that the API server adds to new nodes. */
  async addNode(name: string, parts?: NodeParts): Promise<void> {
    const { metadata, spec, status } = sampleNode(name, parts)
    const nodes = this.client.resource(Node)
    await nodes.create({ metadata, spec, status })
    await nodes.patch(name, 'merge', { spec: { taints: spec.taints ?? null } })
  }

  async addPod(name: string, parts?: PodParts): Promise<void> {
    const { metadata, spec } = samplePod(name, parts)
    const { namespace, labels } = metadata
    await this.client
      .resource(Pod)
      .create({ metadata: { name, namespace: namespace!, ...(labels && { labels }) }, spec })
  }

  async pod(name: string): Promise<Pod> {
    return this.client.resource(Pod).in('default').get(name)
  }

  async pods(): Promise<readonly Pod[]> {
    return (await this.client.resource(Pod).list()).items
  }

  /** `p on na`, or the message of the PodScheduled condition, without the part of PostFilter. */
  async placements(): Promise<readonly string[]> {
    return (await this.pods()).map(({ metadata, spec, status }) => {
      const condition = status.conditions?.find(({ type }) => type === 'PodScheduled')
      const message = condition?.message?.replace(/ no new claims to deallocate.*/, '') ?? 'not attempted'
      return `${metadata.name}${spec.nodeName ? ` on ${spec.nodeName}` : `: ${message}`}`
    })
  }

  /** `FailedScheduling p 2 times: …`, sorted. */
  async events(): Promise<readonly string[]> {
    const { items } = await this.client.resource(Event).in('default').list()
    return items
      .map(({ reason, involvedObject, count = 1, message }) => {
        const times = count > 1 ? ` ${count} times` : ''
        return `${reason} ${involvedObject.name}${times}: ${message}`
      })
      .sort()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const scheduler of this.#schedulers) await scheduler.close()
    this.client.close()
    await this.server.close()
  }
}
