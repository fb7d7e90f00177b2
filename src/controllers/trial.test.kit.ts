import { type Environment, environment as realEnvironment } from '../base/environment.js'
import { seededRandom } from '../base/random.js'
import { VirtualClock } from '../base/virtual-clock.js'
import type { Client } from '../client/client.js'
import type { Transport } from '../client/transport.js'
import { startTestApiServer, type TestApiServer } from '../testing/api-server.js'
import { inProcessClient } from '../testing/clients.js'
import type { LoopOptions } from './catalogue.js'
import { inProcessTransports, type RunningControllers, startControllers } from './manager.js'

export interface TrialOptions {
  readonly controllers: readonly string[]
  readonly options?: LoopOptions
  /** Comes between the loops and the server: to count, to fail. */
  readonly transport?: (transport: Transport) => Transport
  /** The same between their informers and the server. */
  readonly informersTransport?: (transport: Transport) => Transport
}

/** An API server in memory and some control loops, on a clock that stands still until it is told to move. */
export class Trial implements AsyncDisposable {
  readonly clock: VirtualClock
  readonly environment: Environment
  readonly server: TestApiServer
  readonly client: Client
  #running: RunningControllers | undefined

  private constructor(clock: VirtualClock, environment: Environment, server: TestApiServer) {
    this.clock = clock
    this.environment = environment
    this.server = server
    this.client = inProcessClient(server)
  }

  static async begin(options?: TrialOptions, seed = 1): Promise<Trial> {
    const clock = new VirtualClock()
    const environment = realEnvironment({ clock, random: seededRandom(seed) })
    const trial = new Trial(clock, environment, await startTestApiServer({ environment }))
    if (options) trial.start(options)
    return trial
  }

  start(options: TrialOptions): void {
    this.#running = startLoops(this, options)
  }

  /** As if they had been killed: what they have not sent is never sent. */
  async stop(): Promise<void> {
    await this.#running?.close()
    this.#running = undefined
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop()
    await this.server.close()
  }
}

/** Once it has failed, nothing is written through it any more: as if the process were dead. */
export function killedAfter(writes: number): (inner: Transport) => Transport {
  let left = writes
  return (inner) => ({
    ...inner,
    async send(request) {
      if (request.method !== 'GET' && left-- <= 0) throw new Error('killed')
      return inner.send(request)
    },
  })
}

function asItIs(transport: Transport): Transport {
  return transport
}

function startLoops({ server, environment }: Trial, options: TrialOptions): RunningControllers {
  const { controllers, options: loopOptions = {} } = options
  const { transport: between = asItIs, informersTransport: behind = asItIs } = options
  const { transport, transportOf } = inProcessTransports(server.api.answer)
  return startControllers({
    environment,
    controllers,
    options: loopOptions,
    transport: behind(transport),
    transportOf: (account) => between(transportOf(account)),
  })
}
