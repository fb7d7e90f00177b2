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
  /** Wraps the transport of the controllers: to count requests, to fail them, to crash. */
  readonly transport?: (transport: Transport) => Transport
  /** Wraps the transport of their informers. */
  readonly informersTransport?: (transport: Transport) => Transport
}

export interface ControllerHarnessOptions extends HarnessControllers {
  /** Created before the controllers start, with its default service account. */
  readonly namespace?: string
  readonly log?: Logger
  /** Names of consistency checks that the test violates on purpose. */
  readonly brokenRules?: readonly string[]
}

/** An API server in memory and some controllers, on a virtual clock. */
export class ControllerHarness implements AsyncDisposable {
  readonly clock: VirtualClock
  readonly environment: Environment
  readonly server: TestApiServer
  /** Of an administrator. */
  readonly client: Client
  /** For the test; the controllers have their own. */
  readonly informers: Informers
  readonly #brokenRules: readonly string[]
  #options: HarnessControllers | undefined
  #running: RunningControllers | undefined

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

  /** Without options, no controllers run before `start`. */
  static async begin(options?: ControllerHarnessOptions, seed = 1): Promise<ControllerHarness> {
    const clock = new VirtualClock()
    const log = options?.log && { log: options.log }
    const environment = realEnvironment({ clock, random: seededRandom(seed), ...log })
    const harness = new ControllerHarness(clock, await startTestApiServer({ environment }), options ?? {})
    if (options?.namespace !== undefined) await harness.settle(createNamespace(harness.client, options.namespace))
    if (options) harness.start(options)
    return harness
  }

  /** Awaits work that may need timers of the clock, then waits until nothing is left to do without time passing. */
  async settle<T>(work: Promise<T>): Promise<T> {
    let isDone = false
    const watched = work.finally(() => {
      isDone = true
    })
    watched.catch(() => {}) // the caller gets the error
    await this.clock.settle()
    if (!isDone) await this.clock.runUntil(() => isDone)
    await this.clock.settle()
    return watched
  }

  /** Starts the controllers with the options of the last start, unless given. */
  start(options = this.#options): void {
    if (!options) throw new Error('start() needs options the first time')
    if (this.#running) throw new Error('the controllers are already running')
    this.#options = options
    this.#running = startLoops(this, options)
  }

  /** Stops the controllers as if they were killed: what they have not sent is never sent. */
  async stop(): Promise<void> {
    await this.#running?.abandon()
    this.#running = undefined
  }

  /** Checks the consistency of the cluster, as far as the running controllers ensure it. */
  async check(): Promise<void> {
    const { names = [], informers } = this.#running ?? {}
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
