import { ControllerHarness } from '../../controllers/harness.test.kit.js'
import type { ControllerOptions } from '../../controllers/manager.js'
import { WriteFaultInjector, type WriteFaultOptions } from '../faults/write-faults.js'
import { clusterStateOf, PodCounter } from './cluster-state.js'
import type { CrashScenario } from './crash-scenario.js'
import { ScenarioClient } from './scenario-client.js'
import { ScenarioNodes } from './scenario-nodes.js'

export interface CrashScenarioResult {
  /** How things are in the end, and how many pods it took. */
  readonly lines: readonly string[]
  /** The same after each step, when the next one was about to be done. */
  readonly statesAfterSteps: readonly (readonly string[])[]
  /** How many writes the loops sent, and how often they were killed. */
  readonly writes: number
  readonly kills: number
}

const pace = { start: 2000, run: 3000, stop: 1000 }

/** Lets a day pass. Each controller manager meets the injector that is next in line, the last of them none. */
export async function runCrashScenario(
  day: CrashScenario,
  faults: Iterable<WriteFaultOptions> = [],
): Promise<CrashScenarioResult> {
  await using harness = await ControllerHarness.begin()
  const managers = new Managers(harness, day.controllers ?? {}, faults)
  const nodes = new ScenarioNodes(harness, pace)
  const census = new PodCounter(harness.informers)
  const client = new ScenarioClient(harness.client)
  const stages: (readonly string[])[] = []
  for (const [i, step] of day.steps.entries()) {
    const seconds = (day.steps[i + 1]?.at ?? day.end) - step.at
    await harness.settle(step.act(client, nodes))
    for (let second = 0; second < seconds; second++) {
      await harness.clock.advance('1s')
      await harness.settle(nodes.tick())
      await managers.replaceDead()
    }
    stages.push([...census.lines(), ...(await clusterStateOf(harness.client))])
  }
  return { lines: stages.at(-1)!, statesAfterSteps: stages, writes: managers.writes, kills: managers.kills }
}

/** One controller manager after the other. */
class Managers {
  readonly #harness: ControllerHarness
  readonly #options: ControllerOptions
  readonly #faults: Iterator<WriteFaultOptions>
  readonly #past: WriteFaultInjector[] = []
  #injector: WriteFaultInjector

  constructor(harness: ControllerHarness, options: ControllerOptions, faults: Iterable<WriteFaultOptions>) {
    this.#harness = harness
    this.#options = options
    this.#faults = faults[Symbol.iterator]()
    this.#injector = this.#start()
  }

  get kills(): number {
    return this.#past.length
  }

  get writes(): number {
    return [...this.#past, this.#injector].reduce((sum, { writes }) => sum + writes, 0)
  }

  async replaceDead(): Promise<void> {
    if (!this.#injector.isDead) return
    await this.#harness.settle(this.#harness.stop())
    this.#past.push(this.#injector)
    this.#injector = this.#start()
  }

  #start(): WriteFaultInjector {
    const injector = new WriteFaultInjector(this.#faults.next().value ?? {})
    this.#harness.start({
      controllers: ['*'],
      options: this.#options,
      transport: injector.wrap,
      informersTransport: injector.wrap,
    })
    return injector
  }
}
