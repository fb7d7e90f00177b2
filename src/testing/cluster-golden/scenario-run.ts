import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sleep } from '../../base/clock.js'
import type { JsonObject, JsonValue } from '../../schema/declaration.js'
import { differences } from '../golden/normal-form.js'
import { fillPlaceholders } from '../golden/placeholders.js'
import type { RecordedRequest } from '../golden/recording.js'
import type { ReceivedResponse } from '../golden/requests.js'
import type { RecordedScenario } from './cluster-recording.js'
import { eventDifferences } from './event-digest.js'
import { ObjectNormalForm } from './object-normal-form.js'
import { observeStep } from './observations.js'
import { pathOf } from './resource-paths.js'
import type {
  ClusterScenario,
  DeleteStep,
  FileStep,
  PatchStep,
  PostStep,
  RecordStep,
  SaveStep,
  ScenarioStep,
  UntilStep,
} from './scenario.js'
import { responseSummary, type ScenarioContext } from './scenario-context.js'
import type { ScenarioObjects } from './scenario-objects.js'
import type { ScriptedKubelet } from './scripted-kubelet.js'

export interface ScenarioRunDependencies {
  readonly context: ScenarioContext
  readonly kubelet: ScriptedKubelet
  readonly objects: ScenarioObjects
  readonly variables: Record<string, string>
  readonly recorded: RecordedScenario
  /** Whether a record is known to differ: it is not waited for. */
  readonly isKnown: (record: string) => boolean
}

/** What became of a scenario. */
export interface ScenarioResult {
  /** What did not go as it should, beside the records. */
  readonly trouble: readonly string[]
  /** Of each record that was taken, how it differs. */
  readonly records: ReadonlyMap<string, readonly string[]>
}

/** In milliseconds: how long a record may take to become what was recorded. Where a cluster ends up counts, not how fast. */
const patience = 8000

const patchTypes = {
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  json: 'application/json-patch+json',
} as const

/** Plays the steps of one scenario, in a namespace that is there. */
export class ScenarioRun {
  readonly #scenario: ClusterScenario
  readonly #parts: ScenarioRunDependencies
  readonly #normal: ObjectNormalForm
  readonly #records = new Map<string, readonly string[]>()

  constructor(scenario: ClusterScenario, parts: ScenarioRunDependencies) {
    this.#scenario = scenario
    this.#parts = parts
    this.#normal = new ObjectNormalForm(parts.variables, JSON.stringify(scenario.steps))
  }

  /** What fails is told, and the next step is played: one thing that is missing does not hide the others. */
  async play(): Promise<ScenarioResult> {
    const trouble: string[] = []
    for (const step of this.#scenario.steps)
      try {
        await this.#play(step)
      } catch (error) {
        trouble.push(error instanceof Error ? error.message : String(error))
      }
    return { trouble, records: this.#records }
  }

  async #play(step: ScenarioStep): Promise<void> {
    const { context, kubelet, objects, variables } = this.#parts
    if ('apply' in step) for (const manifest of [step.apply].flat()) await objects.create(manifest)
    else if ('until' in step) await this.#until(step)
    else if ('podStatus' in step) await kubelet.writeStatuses(step, variables)
    else if ('record' in step) await this.#record(step)
    else if ('sleep' in step) await sleep(context.clock, step.sleep * 1000)
    else if ('save' in step) await this.#save(step)
    else if ('file' in step) this.#file(step)
    else await this.#change(step)
  }

  async #change(step: PatchStep | PostStep | DeleteStep): Promise<void> {
    const [method, path] =
      'patch' in step ? ['PATCH', step.patch] : 'post' in step ? ['POST', step.post] : ['DELETE', step.delete]
    const received = await this.#send({
      method,
      path,
      ...('patch' in step && { type: patchTypes[step.type ?? 'merge'] }),
      ...(step.body !== undefined && { body: step.body }),
    })
    if (received.status >= 300) throw new Error(`${method} ${path}: ${responseSummary(received)}`)
  }

  async #until({ until, get, where, timeout = 30 }: UntilStep): Promise<void> {
    const { clock } = this.#parts.context
    const end = clock.monotonic() + timeout * 1000
    const isFound = async () => holds(where, (await this.#send({ path: get })).body, this.#parts.variables)
    while (!(await isFound())) {
      if (clock.monotonic() > end) throw new Error(`in ${timeout} s it did not come true: ${until}`)
      await sleep(clock, 100)
    }
  }

  async #save({ save, get, value }: SaveStep): Promise<void> {
    this.#parts.variables[save] = String(value((await this.#send({ path: get })).body))
  }

  #file({ file, content }: FileStep): void {
    const { context, variables } = this.#parts
    if (context.manifests === undefined) throw new Error('there is no folder for static pods')
    writeStaticPod(
      context.manifests,
      fillPlaceholders(file, variables),
      content && fillPlaceholders(content, variables),
    )
  }

  async #record(step: RecordStep): Promise<void> {
    const { clock } = this.#parts.context
    const end = clock.monotonic() + (this.#parts.isKnown(step.record) ? 0 : patience)
    let differing = await this.#compare(step)
    while (differing.length > 0 && clock.monotonic() < end) {
      await sleep(clock, 200)
      differing = await this.#compare(step)
    }
    this.#records.set(step.record, differing)
  }

  async #compare(step: RecordStep): Promise<readonly string[]> {
    const { context, variables, recorded } = this.#parts
    const want = recorded[step.record]
    if (want === undefined) return ['nothing is recorded']
    const { needs } = this.#scenario
    const got = await observeStep(step, { context, variables, needs, normal: this.#normal })
    return 'events' in step
      ? eventDifferences(want as readonly JsonValue[], got as readonly JsonValue[])
      : differences(want, got)
  }

  #send({ path = '', body, ...request }: RecordedRequest): Promise<ReceivedResponse> {
    const { context, variables } = this.#parts
    return context.requests.send({
      ...request,
      path: pathOf(path, variables),
      ...(body !== undefined && { body: fillPlaceholders(body, variables) }),
    })
  }
}

function holds(where: UntilStep['where'], object: JsonValue, variables: Record<string, string>): boolean {
  try {
    return Boolean(where(object, variables))
  } catch (error) {
    if (error instanceof TypeError) return false // what it looks into is not there yet
    throw error
  }
}

/** Writes a static pod into the kubelet's manifest folder, or removes it if `pod` is undefined. */
function writeStaticPod(folder: string, name: string, pod: JsonObject | undefined): void {
  const path = join(folder, name)
  if (!pod) {
    rmSync(path, { force: true })
    return
  }
  // The kubelet must never read a half-written file. It ignores names that begin with a dot.
  const draft = join(folder, `.${name}`)
  writeFileSync(draft, JSON.stringify(pod))
  renameSync(draft, path)
}
