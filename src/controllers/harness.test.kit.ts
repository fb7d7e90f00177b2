import { Namespace } from '../api/core/v1/namespace.js'
import { ServiceAccount } from '../api/core/v1/service-account.js'
import { type Environment, environment as realEnvironment } from '../base/environment.js'
import type { Logger } from '../base/logging.js'
import { seededRandom } from '../base/random.js'
import { VirtualClock } from '../base/virtual-clock.js'
import type { Client } from '../client/client.js'
import { Informers } from '../client/informers/informers.js'
import type { Transport } from '../client/transport.js'
import { startTestApiServer, type TestApiServer } from '../testing/servers/api-server.js'
import { inProcessClient } from '../testing/servers/clients.js'
import { checkWorldWhenSettled } from '../testing/world-check/world-check.js'
import { type ControllerOptions, inProcessTransports, type RunningControllers, startControllers } from './manager.js'

export interface HarnessControllers {
  readonly controllers: readonly string[]
  readonly options?: ControllerOptions
  /** Comes between the loops and the server: to count, to fail, to kill. */
  readonly transport?: (transport: Transport) => Transport
  /** The same between their informers and the server. */
  readonly informersTransport?: (transport: Transport) => Transport
}

export interface ControllerHarnessOptions extends HarnessControllers {
  /** Is there before the loops are, with the service account that every namespace is given. */
  readonly namespace?: string
  readonly log?: Logger
  /** Names of checks of the world that the test breaks on purpose. */
  readonly brokenRules?: readonly string[]
}

/** An API server in memory and some control loops, on a clock that stands still until it is told to move. */
export class ControllerHarness implements AsyncDisposable {
  readonly clock: VirtualClock
  readonly environment: Environment
  readonly server: TestApiServer
  /** Of an administrator. */
  readonly client: Client
  /** For those who look on: not those of the loops. */
  readonly informers: Informers
  readonly #brokenRules: readonly string[]
  #options: HarnessControllers | undefined
  #loops: RunningControllers | undefined

  private constructor(
    clock: VirtualClock,
    server: TestApiServer,
    { brokenRules = [] }: Partial<ControllerHarnessOptions>,
  ) {
    this.clock = clock
    this.environment = server.environment
    this.server = server
    this.client = inProcessClient(server)
    this.informers = new Informers(this.client, server.environment)
    this.#brokenRules = brokenRules
  }

  /** Without options there are no loops before `start`. */
  static async begin(options?: ControllerHarnessOptions, seed = 1): Promise<ControllerHarness> {
    const clock = new VirtualClock()
    const log = options?.log && { log: options.log }
    const environment = realEnvironment({ clock, random: seededRandom(seed), ...log })
    const trial = new ControllerHarness(clock, await startTestApiServer({ environment }), options ?? {})
    if (options?.namespace !== undefined) await trial.settle(createNamespace(trial.client, options.namespace))
    if (options) trial.start(options)
    return trial
  }

  /** Awaits work that may need timers of the clock, and then lets everything come to rest. */
  async settle<T>(work: Promise<T>): Promise<T> {
    let isDone = false
    const watched = work.finally(() => {
      isDone = true
    })
    watched.catch(() => {}) // the caller is told
    await this.clock.settle()
    if (!isDone) await this.clock.runUntil(() => isDone)
    await this.clock.settle()
    return watched
  }

  /** The loops as they were started before, unless told. */
  start(options = this.#options): void {
    if (!options) throw new Error('it was never said which loops to start')
    if (this.#loops) throw new Error('the loops of before are still there')
    this.#options = options
    this.#loops = startLoops(this, options)
  }

  /** As if they had been killed: what they have not sent is never sent. */
  async stop(): Promise<void> {
    await this.#loops?.abandon()
    this.#loops = undefined
  }

  /** What must be true at the end of every test, as far as there are loops that see to it. */
  async check(): Promise<void> {
    const { names = [], informers } = this.#loops ?? {}
    const seen = informers ? [informers, this.informers] : [this.informers]
    await checkWorldWhenSettled(this.server, { informers: seen, controllers: names, except: this.#brokenRules })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    try {
      await this.check()
    } finally {
      await this.settle(this.stop())
      await this.settle(this.informers.close())
      await this.server.close()
    }
  }
}

export async function createNamespace(client: Client, name: string): Promise<void> {
  await client.resource(Namespace).create({ metadata: { name } })
  await client.resource(ServiceAccount).create({ metadata: { name: 'default', namespace: name } })
}

function startLoops(
  { server, environment }: ControllerHarness,
  { controllers, options = {}, transport: between = asItIs, informersTransport: behind = asItIs }: HarnessControllers,
): RunningControllers {
  const { transport, transportOf } = inProcessTransports(server.api.handleInProcess)
  return startControllers({
    environment,
    ...options,
    flags: { ...options.flags, controllers },
    transport: behind(transport),
    transportOf: (account) => between(transportOf(account)),
  })
}

function asItIs(transport: Transport): Transport {
  return transport
}
