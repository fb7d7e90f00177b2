import { Namespace } from '../../api/core/v1/namespace.js'
import { ServiceAccount } from '../../api/core/v1/service-account.js'
import { type Environment, environment as realEnvironment } from '../../base/environment.js'
import type { Logger } from '../../base/logging.js'
import { seededRandom } from '../../base/random.js'
import { VirtualClock } from '../../base/virtual-clock.js'
import type { Client } from '../../client/client.js'
import { Informers } from '../../client/informers/informers.js'
import type { Transport } from '../../client/transport.js'
import { startTestApiServer, type TestApiServer } from '../../testing/api-server.js'
import { inProcessClient } from '../../testing/clients.js'
import { inProcessTransports, startControllers } from '../manager.js'

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
  const { transport, transportOf } = inProcessTransports(server.api.answer)
  const opened: Transport[] = [transport]
  const loops = startControllers({
    environment,
    controllers,
    transport,
    transportOf(account) {
      const own = between(transportOf(account))
      opened.push(own)
      return own
    },
  })
  return {
    async [Symbol.asyncDispose]() {
      for (const each of opened) each.close()
      await loops.close()
    },
  }
}

function same(transport: Transport): Transport {
  return transport
}
