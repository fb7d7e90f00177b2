import { type Environment, environment as realEnvironment } from '../base/environment.js'
import { seededRandom } from '../base/random.js'
import { VirtualClock } from '../base/virtual-clock.js'
import { Client } from '../client/client.js'
import { eventRecorder } from '../client/events/recorder.js'
import { inProcessTransport } from '../client/in-process.js'
import { Informers } from '../client/informers/informers.js'
import type { Transport } from '../client/transport.js'
import { startTestApiServer, type TestApiServer } from '../testing/api-server.js'
import { inProcessClient } from '../testing/clients.js'
import type { LoopOptions } from './catalogue.js'
import { startControllers } from './manager.js'
import type { RunningController } from './runtime/controller.js'

export interface TrialOptions {
  readonly controllers: readonly string[]
  readonly options?: LoopOptions
  /** Comes between the loops and the server: to count, to fail. */
  readonly transport?: (transport: Transport) => Transport
}

/** An API server in memory and some control loops, on a clock that stands still until it is told to move. */
export class Trial implements AsyncDisposable {
  readonly clock: VirtualClock
  readonly environment: Environment
  readonly server: TestApiServer
  readonly client: Client
  #running: Running | undefined

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

interface Running {
  close(): Promise<void>
}

function startLoops({ server, environment }: Trial, options: TrialOptions): Running {
  const { controllers, options: loopOptions = {}, transport: between = (transport) => transport } = options
  const transports: Transport[] = []
  const transportOf = (user: { readonly name: string; readonly groups: readonly string[] }) => {
    const transport = inProcessTransport({ answer: server.api.answer, user: { uid: '', extra: {}, ...user } })
    transports.push(transport)
    return transport
  }
  const manager = { name: 'system:kube-controller-manager', groups: ['system:authenticated'] }
  const informers = new Informers(new Client(transportOf(manager)), environment)
  const recorders: { close(): Promise<void> }[] = []
  const loops: RunningController = startControllers({
    environment,
    informers,
    controllers,
    options: loopOptions,
    transportOf: (account) => between(transportOf(serviceAccount(account))),
    eventsOf: (component, transport) => {
      const recorder = eventRecorder(new Client(transport), { component }, environment)
      recorders.push(recorder)
      return recorder
    },
  })
  return {
    async close() {
      for (const transport of transports) transport.close()
      await loops.close()
      await Promise.all(recorders.map((recorder) => recorder.close()))
      await informers.close()
    },
  }
}

function serviceAccount(name: string) {
  const groups = ['system:serviceaccounts', 'system:serviceaccounts:kube-system', 'system:authenticated']
  return { name: `system:serviceaccount:kube-system:${name}`, groups }
}
