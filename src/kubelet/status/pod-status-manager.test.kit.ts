import type { PodSpec } from '../../api/core/v1/pod/spec.js'
import type { PodStatus } from '../../api/core/v1/pod/status.js'
import { Pod } from '../../api/core/v1/pod.js'
import { ServiceAccount } from '../../api/core/v1/service-account.js'
import { unlessAborted } from '../../base/abort.js'
import { type Environment, environment as realEnvironment } from '../../base/environment.js'
import { seededRandom } from '../../base/random.js'
import { VirtualClock } from '../../base/virtual-clock.js'
import { Client } from '../../client/client.js'
import { inProcessTransport } from '../../client/in-process.js'
import type { ClientRequest, Transport } from '../../client/transport.js'
import { FaultyTransport, type TransportFault } from '../../testing/faults/faulty-transport.js'
import { startTestApiServer, type TestApiServer } from '../../testing/servers/api-server.js'
import { inProcessClient } from '../../testing/servers/clients.js'
import { podStatusManager } from './pod-status-manager.js'
import type { StatusManager } from './status-manager.js'

const node = { name: 'system:node:node', uid: '', groups: ['system:nodes', 'system:authenticated'], extra: {} }

/** An API server in memory, a status manager that acts as a node, and a faulty connection between them. */
export class StatusHarness implements AsyncDisposable {
  readonly clock: VirtualClock
  readonly environment: Environment
  readonly server: TestApiServer
  /** Authenticates as an administrator. */
  readonly client: Client
  readonly manager: StatusManager
  /** Requests of the node: `PATCH pods/p/status`. */
  readonly requests: string[] = []
  readonly bodies: unknown[] = []
  faultOf: (request: ClientRequest) => TransportFault = () => ({})
  latenessOf: (request: ClientRequest) => number = () => 0
  /** The objects that the node knows, by uid; for a static pod, its mirror. */
  readonly heard = new Map<string, Pod>()

  private constructor(clock: VirtualClock, environment: Environment, server: TestApiServer) {
    this.clock = clock
    this.environment = environment
    this.server = server
    this.client = inProcessClient(server)
    const inner = inProcessTransport({ handle: server.api.handleInProcess, user: node })
    const transport = new FaultyTransport(clock, () => ({ ...inner, send: this.#carry(inner) }), this.#note)
    const client = new Client(transport, { clock })
    const stored = ({ metadata }: Pod) => this.heard.get(metadata.uid!)
    this.manager = podStatusManager({ environment, client, stored })
  }

  static async begin(seed = 1): Promise<StatusHarness> {
    const clock = new VirtualClock()
    const environment = realEnvironment({ clock, random: seededRandom(seed) })
    const harness = new StatusHarness(clock, environment, await startTestApiServer({ environment }))
    await harness.client.resource(ServiceAccount).create({ metadata: { name: 'default', namespace: 'default' } })
    return harness
  }

  /** Sends a request long after it was aborted. Its response is lost. */
  #carry(inner: Transport): Transport['send'] {
    return (request) => {
      const delay = this.latenessOf(request)
      if (delay === 0) return inner.send(request)
      this.clock.timer(delay, () => {
        inner.send({ ...request, signal: undefined }).catch(() => {})
      })
      return unlessAborted(new Promise(() => {}), request.signal)
    }
  }

  readonly #note = (request: ClientRequest): TransportFault => {
    this.requests.push(`${request.method} ${request.path.replace('/api/v1/namespaces/default/', '')}`)
    this.bodies.push(request.body)
    return this.faultOf(request)
  }

  get #pods() {
    return this.client.resource(Pod).in('default')
  }

  async add(name = 'p', spec: Partial<PodSpec> = {}, metadata: Partial<Pod['metadata']> = {}): Promise<Pod> {
    const whole = { containers: [{ name: 'c', image: 'i' }], nodeName: 'node', ...spec } as PodSpec
    return this.#pods.create({ metadata: { name, ...metadata }, spec: whole })
  }

  pod(name = 'p'): Promise<Pod> {
    return this.#pods.get(name)
  }

  /** Writes a status as another component. */
  patchStatus(status: object, name = 'p'): Promise<Pod> {
    return this.#pods.subresource('status').patch(name, 'strategic', { status })
  }

  async delete(name = 'p'): Promise<void> {
    await this.#pods.delete(name, { gracePeriodSeconds: 30 })
  }

  async names(): Promise<readonly string[]> {
    return (await this.#pods.list()).items.map(({ metadata }) => metadata.name!)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.manager.close()
    this.client.close()
    await this.server.close()
  }
}

/** The status of a pod with one container. */
export function toldStatus(
  phase: 'Pending' | 'Running' | 'Succeeded' | 'Failed',
  parts: Partial<PodStatus> = {},
): PodStatus {
  const isReady = phase === 'Running'
  const lastTransitionTime = '2026-01-01T00:00:00Z'
  const states = {
    Pending: { waiting: { reason: 'ContainerCreating' } },
    Running: { running: { startedAt: lastTransitionTime } },
    Succeeded: {
      terminated: { exitCode: 0, reason: 'Completed', startedAt: lastTransitionTime, finishedAt: lastTransitionTime },
    },
    Failed: {
      terminated: { exitCode: 1, reason: 'Error', startedAt: lastTransitionTime, finishedAt: lastTransitionTime },
    },
  }
  return {
    phase,
    startTime: lastTransitionTime,
    qosClass: 'BestEffort',
    conditions: [
      { type: 'Initialized', status: 'True', lastTransitionTime },
      { type: 'Ready', status: isReady ? 'True' : 'False', lastTransitionTime },
      { type: 'ContainersReady', status: isReady ? 'True' : 'False', lastTransitionTime },
      { type: 'PodScheduled', status: 'True', lastTransitionTime },
    ],
    containerStatuses: [
      {
        name: 'c',
        image: 'i',
        imageID: '',
        ready: isReady,
        started: isReady,
        restartCount: 0,
        state: states[phase],
        lastState: {},
      },
    ],
    ...parts,
  }
}
