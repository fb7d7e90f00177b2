import { systemClock } from '../../base/clock.js'
import { environment } from '../../base/environment.js'
import type { Client } from '../../client/client.js'
import { Informers } from '../../client/informers/informers.js'
import { ApiServerProcess } from '../processes/api-server-process.js'
import { ControllerManagerProcess } from '../processes/controller-manager-process.js'
import { httpsClient } from '../servers/clients.js'
import { clusterStateOf, PodCounter, stateDifference } from './cluster-state.js'
import { ScenarioNodes } from './scenario-nodes.js'

const pace = { start: 100, run: 200, stop: 100 }
const tick = 50

/** An API server on disk and a controller manager, each a process of its own, and nodes that are played by this one, over HTTPS. */
export class ProcessHarness implements AsyncDisposable {
  readonly server: ApiServerProcess
  readonly client: Client
  readonly nodes: ScenarioNodes
  readonly informers: Informers
  readonly #census: PodCounter
  readonly #flags: readonly string[]
  readonly #ending = new AbortController()
  readonly #playing: Promise<void>
  #manager: ControllerManagerProcess

  private constructor(server: ApiServerProcess, flags: readonly string[]) {
    const around = environment()
    this.server = server
    this.client = httpsClient(server)
    this.informers = new Informers(this.client, around)
    this.nodes = new ScenarioNodes({ client: this.client, informers: this.informers, clock: systemClock }, pace)
    this.#census = new PodCounter(this.informers)
    this.#flags = flags
    this.#manager = new ControllerManagerProcess(server, flags)
    this.#playing = this.#play()
  }

  static async begin(flags: readonly string[]): Promise<ProcessHarness> {
    // The day that it is compared with knows of no certificates to publish.
    const controllers = '--controllers=*,-root-ca-certificate-publisher-controller'
    return new ProcessHarness(await ApiServerProcess.start(), [controllers, ...flags])
  }

  get manager(): ControllerManagerProcess {
    return this.#manager
  }

  /** It need not be at work when it is killed. */
  async killManager(): Promise<void> {
    await this.#manager.end('SIGKILL')
    this.#manager = new ControllerManagerProcess(this.server, this.#flags)
  }

  async killServer(): Promise<void> {
    await this.server.end('SIGKILL')
    await this.server.start()
  }

  /** Waits until everything is as it should be; how many pods it took counts, too, unless told. Gives what is different in the end. */
  async reaches(expected: readonly string[], { counted = true } = {}): Promise<string> {
    const wanted = expected.filter((line) => counted || !line.includes(' pods '))
    for (let attempts = 0; ; attempts++) {
      const difference = stateDifference(wanted, await this.#outcome(counted))
      if (difference === '' || attempts > 600) return difference
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }

  async #outcome(counted: boolean): Promise<readonly string[]> {
    return [...(counted ? this.#census.lines() : []), ...(await clusterStateOf(this.client))]
  }

  /** What fails because nobody answers is done at the next tick. */
  async #play(): Promise<void> {
    while (!this.#ending.signal.aborted) {
      await this.nodes.tick().catch(() => {})
      await new Promise((resolve) => setTimeout(resolve, tick))
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ending.abort()
    await this.#playing
    await this.informers.close()
    this.client.close()
    await this.#manager.end('SIGKILL')
    await this.server.close()
  }
}
