import { Namespace } from '../../api/core/v1/namespace.js'
import { ServiceAccount } from '../../api/core/v1/service-account.js'
import { type Environment, environment as realEnvironment } from '../../base/environment.js'
import type { Logger } from '../../base/logging.js'
import { seededRandom } from '../../base/random.js'
import { VirtualClock } from '../../base/virtual-clock.js'
import { Client } from '../../client/client.js'
import { eventRecorder } from '../../client/events/recorder.js'
import { inProcessTransport } from '../../client/in-process.js'
import { Informers } from '../../client/informers/informers.js'
import type { Transport } from '../../client/transport.js'
import { startTestApiServer, type TestApiServer } from '../../testing/api-server.js'
import { inProcessClient } from '../../testing/clients.js'
import { startControllers } from '../manager.js'

export interface TrialOptions {
  readonly controllers: readonly string[]
  /** Comes between the loops and the server: to count, to fail. */
  readonly between?: (transport: Transport) => Transport
  readonly log?: Logger
}

/** An API server in memory and control loops beside it, on a clock that stands still until it is told to move. */
export class Trial implements AsyncDisposable {
  readonly clock: VirtualClock
  readonly environment: Environment
  readonly server: TestApiServer
  readonly client: Client
  /** For those who look on. */
  readonly informers: Informers
  readonly #options: TrialOptions
  #loops: AsyncDisposable | undefined

  private constructor(options: TrialOptions, parts: Pick<Trial, 'clock' | 'environment' | 'server'>) {
    this.#options = options
    this.clock = parts.clock
    this.environment = parts.environment
    this.server = parts.server
    this.client = inProcessClient(parts.server)
    this.informers = new Informers(this.client, this.environment)
  }

  static async begin(options: TrialOptions): Promise<Trial> {
    const clock = new VirtualClock()
    const environment = realEnvironment({ clock, random: seededRandom(1), ...(options.log && { log: options.log }) })
    const server = await startTestApiServer({ environment })
    const trial = new Trial(options, { clock, environment, server })
    await trial.settle(makeNamespace(trial.client))
    trial.startLoops()
    return trial
  }

  /** Awaits work that may need timers of the clock, and then lets everything come to rest. */
  async settle<T>(work: Promise<T>): Promise<T> {
    let isDone = false
    const watched = work.finally(() => {
      isDone = true
    })
    watched.catch(() => {})
    await this.clock.settle()
    if (!isDone) await this.clock.runUntil(() => isDone)
    await this.clock.settle()
    return watched
  }

  startLoops(): void {
    this.#loops = startLoops(this, this.#options)
  }

  /** As if they had been killed: what they have not sent is never sent. */
  async killLoops(): Promise<void> {
    await this.#loops?.[Symbol.asyncDispose]()
    this.#loops = undefined
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.settle(this.killLoops())
    await this.settle(this.informers.close())
    await this.server.close()
  }
}

/** With the service account that every namespace is given. */
async function makeNamespace(client: Client): Promise<void> {
  await client.resource(Namespace).create({ metadata: { name: 'shop' } })
  await client.resource(ServiceAccount).create({ metadata: { name: 'default', namespace: 'shop' } })
}

function startLoops({ server, environment }: Trial, { controllers, between = same }: TrialOptions): AsyncDisposable {
  const transports: Transport[] = []
  const opened = (name: string, groups: readonly string[]) => {
    const user = { name, groups: [...groups, 'system:authenticated'], uid: '', extra: {} }
    const transport = inProcessTransport({ answer: server.api.answer, user })
    transports.push(transport)
    return transport
  }
  const informers = new Informers(new Client(opened('system:kube-controller-manager', [])), environment)
  const recorders: AsyncDisposable[] = []
  const loops = startControllers({
    environment,
    informers,
    controllers,
    transportOf: (account) =>
      between(opened(`system:serviceaccount:kube-system:${account}`, ['system:serviceaccounts'])),
    eventsOf: (component, transport) => {
      const recorder = eventRecorder(new Client(transport), { component }, environment)
      recorders.push(recorder)
      return recorder
    },
  })
  return {
    async [Symbol.asyncDispose]() {
      for (const transport of transports) transport.close()
      await loops.close()
      await Promise.all(recorders.map((recorder) => recorder[Symbol.asyncDispose]()))
      await informers.close()
    },
  }
}

function same(transport: Transport): Transport {
  return transport
}
