import type { StepComparison } from '../golden/known-differences.js'
import { mapConcurrently } from '../golden/worker-pool.js'
import type { ClusterRecording } from './cluster-recording.js'
import type { ClusterScenario } from './scenario.js'
import type { ScenarioContext } from './scenario-context.js'
import { onlyNode, ScenarioNamespace } from './scenario-namespace.js'
import { ScenarioObjects } from './scenario-objects.js'
import { type ScenarioResult, ScenarioRun } from './scenario-run.js'
import { ScriptedKubelet } from './scripted-kubelet.js'

export interface ScenarioSuiteOptions {
  /** The number of scenarios that run at the same time. Default: 3. */
  readonly concurrency?: number
  /** Whether a record is known to differ: then the run does not wait for it. */
  readonly isKnown?: (scenario: string, record: string) => boolean
  /** Called after each scenario. */
  readonly report?: (scenario: string, results: readonly StepComparison[]) => void
}

/** Runs scenarios of a recording, and compares the states of the cluster with the recorded ones. */
export async function runScenarios(
  recording: ClusterRecording,
  scenarios: readonly ClusterScenario[],
  context: ScenarioContext,
  options: ScenarioSuiteOptions = {},
): Promise<readonly StepComparison[]> {
  const { concurrency = 3 } = options
  const runner = new ScenarioRunner(recording, context, options)
  const beside = scenarios.filter(({ exclusive }) => !exclusive)
  const results = [...(await mapConcurrently(beside, concurrency, (scenario) => runner.play(scenario)))]
  for (const scenario of scenarios.filter(({ exclusive }) => exclusive)) results.push(await runner.play(scenario))
  return results.flat()
}

class ScenarioRunner {
  readonly #recording: ClusterRecording
  readonly #context: ScenarioContext
  readonly #options: ScenarioSuiteOptions
  readonly #kubelet: ScriptedKubelet
  readonly #run: string

  constructor(recording: ClusterRecording, context: ScenarioContext, options: ScenarioSuiteOptions) {
    this.#recording = recording
    this.#context = context
    this.#options = options
    this.#kubelet = new ScriptedKubelet(context)
    this.#run = context.clock.now().toString(36)
  }

  async play(scenario: ClusterScenario): Promise<readonly StepComparison[]> {
    const { name } = scenario
    const labels = Object.keys(this.#recording.recorded(name))
    const result = await this.#result(scenario).catch((error: unknown) => failed(error))
    const results = compared(name, labels, result)
    this.#options.report?.(name, results)
    return results
  }

  async #result(scenario: ClusterScenario): Promise<ScenarioResult> {
    const variables = await this.#variables(scenario)
    const { name, silent } = scenario
    const [context, kubelet] = [this.#context, this.#kubelet]
    const namespace = new ScenarioNamespace(context, scenario, variables)
    const objects = new ScenarioObjects(context, variables, silent)
    const isKnown = (record: string) => this.#options.isKnown?.(name, record) ?? false
    const recorded = this.#recording.recorded(name)
    await namespace.begin()
    const run = new ScenarioRun(scenario, { context, kubelet, objects, variables, recorded, isKnown })
    const result = await run.play()
    objects.stopHeartbeats()
    await objects.removeOthers()
    await namespace.end()
    await objects.removeNodes()
    return result
  }

  async #variables(scenario: ClusterScenario): Promise<Record<string, string>> {
    const number = this.#recording.scenarios.indexOf(scenario)
    const names = { ns: `c-${number}-${this.#run}`, id: `${this.#run}${number}` }
    return scenario.needs === 'kubelet' ? { ...names, node: await onlyNode(this.#context) } : names
  }
}

function failed(error: unknown): ScenarioResult {
  return { trouble: [error instanceof Error ? (error.stack ?? error.message) : String(error)], records: new Map() }
}

/** Problems without a differing record are reported with the last record. */
function compared(
  scenario: string,
  labels: readonly string[],
  { trouble, records }: ScenarioResult,
): readonly StepComparison[] {
  const of = (label: string) => records.get(label) ?? ['it was not reached']
  const firstWrong = labels.find((label) => of(label).length > 0) ?? labels.at(-1)
  return labels.map((label) => ({
    scenario,
    step: label,
    differences: label === firstWrong ? [...trouble, ...of(label)] : of(label),
  }))
}

/** `10-workloads: 70 of 74 records are the same, 31 are left out` */
export function tally({ name, scenarios, recorded }: ClusterRecording, results: readonly StepComparison[]): string {
  const same = results.filter(({ differences }) => differences.length === 0).length
  const all = scenarios.flatMap((scenario) => Object.keys(recorded(scenario.name))).length
  const rest = all - results.length
  return `${name}: ${same} of ${results.length} records are the same${rest > 0 ? `, ${rest} are left out` : ''}`
}
