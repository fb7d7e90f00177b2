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
  readonly deaths: number
}

const pace = { start: 2000, run: 3000, stop: 1000 }

/** Lets a day pass. Each controller manager meets the fate that is next in line, the last of them none. */
export async function runCrashScenario(
  day: CrashScenario,
  fates: Iterable<WriteFaultOptions> = [],
): Promise<CrashScenarioResult> {
  await using trial = await ControllerHarness.begin()
  const managers = new Managers(trial, day.controllers ?? {}, fates)
  const nodes = new ScenarioNodes(trial, pace)
  const census = new PodCounter(trial.informers)
  const people = new ScenarioClient(trial.client)
  const stages: (readonly string[])[] = []
  for (const [i, step] of day.steps.entries()) {
    const seconds = (day.steps[i + 1]?.at ?? day.end) - step.at
    await trial.settle(step.act(people, nodes))
    for (let second = 0; second < seconds; second++) {
      await trial.clock.advance('1s')
      await trial.settle(nodes.tick())
      await managers.replaceDead()
    }
    stages.push([...census.lines(), ...(await clusterStateOf(trial.client))])
  }
  return { lines: stages.at(-1)!, statesAfterSteps: stages, writes: managers.writes, deaths: managers.deaths }
}

/** One controller manager after the other. */
class Managers {
  readonly #trial: ControllerHarness
  readonly #options: ControllerOptions
  readonly #fates: Iterator<WriteFaultOptions>
  readonly #past: WriteFaultInjector[] = []
  #fate: WriteFaultInjector

  constructor(trial: ControllerHarness, options: ControllerOptions, fates: Iterable<WriteFaultOptions>) {
    this.#trial = trial
    this.#options = options
    this.#fates = fates[Symbol.iterator]()
    this.#fate = this.#start()
  }

  get deaths(): number {
    return this.#past.length
  }

  get writes(): number {
    return [...this.#past, this.#fate].reduce((sum, { writes }) => sum + writes, 0)
  }

  async replaceDead(): Promise<void> {
    if (!this.#fate.isDead) return
    await this.#trial.settle(this.#trial.stop())
    this.#past.push(this.#fate)
    this.#fate = this.#start()
  }

  #start(): WriteFaultInjector {
    const fate = new WriteFaultInjector(this.#fates.next().value ?? {})
    this.#trial.start({
      controllers: ['*'],
      options: this.#options,
      transport: fate.wrap,
      informersTransport: fate.wrap,
    })
    return fate
  }
}
