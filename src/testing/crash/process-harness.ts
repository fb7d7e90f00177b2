import { systemClock } from '../../base/clock.js'
import { environment } from '../../base/environment.js'
import type { Client } from '../../client/client.js'
import { Informers } from '../../client/informers/informers.js'
import { ApiServerProcess } from '../processes/api-server-process.js'
import { ControllerManagerProcess } from '../processes/controller-manager-process.js'
import { httpsClient } from '../servers/clients.js'
import { clusterStateOf, PodCounter, stateDifference } from './cluster-state.js'
import { ScenarioNodes } from './scenario-nodes.js'

const podTimes = { start: 100, run: 200, stop: 100 }
const tick = 50

/** An API server on disk and a controller manager as separate processes, and simulated nodes in this process, over HTTPS. */
export class ProcessHarness implements AsyncDisposable {
  readonly server: ApiServerProcess
  readonly client: Client
  readonly nodes: ScenarioNodes
  readonly informers: Informers
  readonly #podCounter: PodCounter
  readonly #flags: readonly string[]
  readonly #ending = new AbortController()
  readonly #runningNodes: Promise<void>
  #manager: ControllerManagerProcess

  private constructor(server: ApiServerProcess, flags: readonly string[]) {
    const realEnvironment = environment()
    this.server = server
    this.client = httpsClient(server)
    this.informers = new Informers(this.client, realEnvironment)
    this.nodes = new ScenarioNodes({ client: this.client, informers: this.informers, clock: systemClock }, podTimes)
    this.#podCounter = new PodCounter(this.informers)
    this.#flags = flags
    this.#manager = new ControllerManagerProcess(server, flags)
    this.#runningNodes = this.#runNodes()
  }

  static async begin(flags: readonly string[]): Promise<ProcessHarness> {
    // The scenario in process, with which this run is compared, publishes no certificates.
    const controllers = '--controllers=*,-root-ca-certificate-publisher-controller'
    return new ProcessHarness(await ApiServerProcess.start(), [controllers, ...flags])
  }

  get manager(): ControllerManagerProcess {
    return this.#manager
  }

  /** Kills the manager, whether it is active or still starting, and starts another one. */
  async killManager(): Promise<void> {
    await this.#manager.end('SIGKILL')
    this.#manager = new ControllerManagerProcess(this.server, this.#flags)
  }

  async killServer(): Promise<void> {
    await this.server.end('SIGKILL')
    await this.server.start()
  }

  /** Waits for the expected state, pod counts included unless `counted` is false. Returns the remaining difference. */
  async untilState(expected: readonly string[], { counted = true } = {}): Promise<string> {
    const wanted = expected.filter((line) => counted || !line.includes(' pods '))
    for (let attempts = 0; ; attempts++) {
      const difference = stateDifference(wanted, await this.#state(counted))
      if (difference === '' || attempts > 600) return difference
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }

  async #state(counted: boolean): Promise<readonly string[]> {
    return [...(counted ? this.#podCounter.lines() : []), ...(await clusterStateOf(this.client))]
  }

  /** Ticks until the end. Whatever fails while the server is down is repeated at the next tick. */
  async #runNodes(): Promise<void> {
    while (!this.#ending.signal.aborted) {
      await this.nodes.tick().catch(() => {})
      await new Promise((resolve) => setTimeout(resolve, tick))
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ending.abort()
    await this.#runningNodes
    await this.informers.close()
    this.client.close()
    await this.#manager.end('SIGKILL')
    await this.server.close()
  }
}
