import { ControllerHarness } from '../../controllers/harness.test.kit.js'
import type { ControllerOptions } from '../../controllers/manager.js'
import { WriteFaultInjector, type WriteFaultOptions } from '../faults/write-faults.js'
import { clusterStateOf, PodCounter } from './cluster-state.js'
import type { CrashScenario } from './crash-scenario.js'
import { ScenarioClient } from './scenario-client.js'
import { ScenarioNodes } from './scenario-nodes.js'

export interface CrashScenarioResult {
  /** The final state, and the number of pods that were created. */
  readonly lines: readonly string[]
  /** The same after each step, just before the next one. */
  readonly statesAfterSteps: readonly (readonly string[])[]
  /** The number of writes of the controllers, and how often they were killed. */
  readonly writes: number
  readonly kills: number
}

const podTimes = { start: 2000, run: 3000, stop: 1000 }

/** Runs a scenario. Each new controller manager gets the next fault, until none is left. */
export async function runCrashScenario(
  scenario: CrashScenario,
  faults: Iterable<WriteFaultOptions> = [],
): Promise<CrashScenarioResult> {
  await using harness = await ControllerHarness.begin()
  const managers = new Managers(harness, scenario.controllers ?? {}, faults)
  const nodes = new ScenarioNodes(harness, podTimes)
  const counter = new PodCounter(harness.informers)
  const client = new ScenarioClient(harness.client)
  const states: (readonly string[])[] = []
  for (const [i, step] of scenario.steps.entries()) {
    const seconds = (scenario.steps[i + 1]?.at ?? scenario.end) - step.at
    await harness.settle(step.act(client, nodes))
    for (let second = 0; second < seconds; second++) {
      await harness.clock.advance('1s')
      await harness.settle(nodes.tick())
      await managers.replaceDead()
    }
    states.push([...counter.lines(), ...(await clusterStateOf(harness.client))])
  }
  return { lines: states.at(-1)!, statesAfterSteps: states, writes: managers.writes, kills: managers.kills }
}

/** Starts one controller manager after the other. */
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
