import { Event } from '../api/core/v1/event.js'
import { Node } from '../api/core/v1/node.js'
import { Pod } from '../api/core/v1/pod.js'
import { ServiceAccount } from '../api/core/v1/service-account.js'
import { type Environment, environment as realEnvironment } from '../base/environment.js'
import { seededRandom } from '../base/random.js'
import { VirtualClock } from '../base/virtual-clock.js'
import type { Client } from '../client/client.js'
import type { Transport } from '../client/transport.js'
import { startTestApiServer, type TestApiServer } from '../testing/api-server.js'
import { inProcessClient } from '../testing/clients.js'
import { type RunningScheduler, type SchedulerOptions, schedulerTransport, startScheduler } from './scheduler.js'
import { type NodeParts, type PodParts, sampleNode, samplePod } from './scheduler.test.kit.js'

export interface StartOptions extends Pick<SchedulerOptions, 'profiles' | 'queue' | 'extenders'> {
  /** Comes between the scheduler and the server. */
  readonly transport?: (transport: Transport) => Transport
}

/** An API server in memory, on a clock that stands still until it is told to move, and as many schedulers as are started. */
export class World implements AsyncDisposable {
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

  static async begin(seed = 1): Promise<World> {
    const clock = new VirtualClock()
    const environment = realEnvironment({ clock, random: seededRandom(seed) })
    const world = new World(clock, environment, await startTestApiServer({ environment }))
    await world.client.resource(ServiceAccount).create({ metadata: { name: 'default', namespace: 'default' } })
    return world
  }

  /** Resolves when it knows everything that there is. */
  async start({ transport = (inner) => inner, ...options }: StartOptions = {}): Promise<RunningScheduler> {
    const { environment, server } = this
    const way = transport(schedulerTransport(server.api.answer))
    const scheduler = startScheduler({ environment, transport: way, ...options })
    this.#schedulers.add(scheduler)
    await this.rest()
    return scheduler
  }

  /** As if it had been killed: what it has not sent is never sent. */
  async stop(scheduler: RunningScheduler): Promise<void> {
    this.#schedulers.delete(scheduler)
    await scheduler.close()
  }

  /** Resolves when nothing happens any more without time moving. */
  async rest(): Promise<void> {
    await this.clock.advance(0)
  }

  /** As a kubelet would make it: without the taint that a node has until it was heard of. */
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

  /** `p on na`, or what its condition says; what it says of making room is left out. */
  async placements(): Promise<readonly string[]> {
    return (await this.pods()).map(({ metadata, spec, status }) => {
      const condition = status.conditions?.find(({ type }) => type === 'PodScheduled')
      const message = condition?.message?.replace(/ no new claims to deallocate.*/, '') ?? 'not tried'
      return `${metadata.name}${spec.nodeName ? ` on ${spec.nodeName}` : `: ${message}`}`
    })
  }

  /** `FailedScheduling p 2 times: …`, sorted. */
  async events(): Promise<readonly string[]> {
    const { items } = await this.client.resource(Event).in('default').list()
    return items
      .map(({ reason, involvedObject, count = 1, message }) => {
        const often = count > 1 ? ` ${count} times` : ''
        return `${reason} ${involvedObject.name}${often}: ${message}`
      })
      .sort()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const scheduler of this.#schedulers) await scheduler.close()
    this.client.close()
    await this.server.close()
  }
}
