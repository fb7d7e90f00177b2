import type { JsonObject, JsonValue } from '../../schema/declaration.js'
import { differences, NormalForm, valueAt } from './normal-form.js'
import type { RecordedAnswer, RecordedRequest, Scenario } from './recording.js'
import { Requests, type Target } from './requests.js'

export interface StepResult {
  readonly scenario: string
  readonly step: number
  readonly request: string
  readonly sameStatus: boolean
  /** Empty where the answer is the recorded one. */
  readonly differences: readonly string[]
}

/** Sends the requests of the scenarios to a server, one after the other, and compares its answers with the recorded ones. */
export async function* replay(scenarios: readonly Scenario[], target: Target): AsyncIterable<StepResult> {
  const requests = new Requests(target)
  const run = Date.now().toString(36)
  try {
    for (const [number, scenario] of scenarios.entries()) yield* new Replay(scenario, { requests, run, number }).steps()
  } finally {
    requests.close()
  }
}

interface ReplayContext {
  readonly requests: Requests
  readonly run: string
  readonly number: number
}

class Replay {
  readonly #scenario: Scenario
  readonly #requests: Requests
  readonly #variables: Record<string, string>
  readonly #normal: NormalForm

  constructor(scenario: Scenario, { requests, run, number }: ReplayContext) {
    this.#scenario = scenario
    this.#requests = requests
    this.#variables = { ns: `g-${number}-${run}`, id: `${run}${number}`, rv: '0' }
    this.#normal = new NormalForm(this.#variables)
  }

  async *steps(): AsyncIterable<StepResult> {
    await this.#begin()
    for (const [step, { request, answer }] of this.#scenario.steps.entries()) {
      const got = await this.#step(request, answer)
      yield {
        scenario: this.#scenario.name,
        step,
        request: `${request.method ?? (request.watch ? 'WATCH' : 'GET')} ${request.path ?? request.watch}`,
        sameStatus: got.status === answer?.status,
        differences: answer ? differences(answer as unknown as JsonObject, got) : ['nothing is recorded'],
      }
    }
    await this.#end()
  }

  async #begin(): Promise<void> {
    const { clusterScoped, noServiceAccount, nsLabels } = this.#scenario
    if (clusterScoped) return
    const { ns = '' } = this.#variables
    const metadata = { name: ns, ...(nsLabels && { labels: nsLabels }) }
    await this.#post('/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata })
    if (noServiceAccount) return
    const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default' } }
    await this.#post(`/api/v1/namespaces/${ns}/serviceaccounts`, account)
  }

  #post(path: string, body: JsonObject): Promise<unknown> {
    return this.#requests.send({ method: 'POST', path, body })
  }

  async #end(): Promise<void> {
    for (const request of this.#scenario.cleanup ?? []) await this.#requests.send(this.#filled(request))
    if (!this.#scenario.clusterScoped)
      await this.#requests.send({ method: 'DELETE', path: `/api/v1/namespaces/${this.#variables.ns}` })
  }

  async #step(recorded: RecordedRequest, want: RecordedAnswer | undefined): Promise<JsonObject> {
    const request = this.#filled(recorded)
    if (request.watch) return this.#watch(recorded, request, want)
    for (let attempt = 0; ; attempt++) {
      const got = await this.#once(request)
      if (attempt === 50 || !this.#mustWait(request, want, got)) return got
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
  }

  #mustWait({ wait, settle }: RecordedRequest, want: RecordedAnswer | undefined, got: JsonObject): boolean {
    if (!want) return false
    if (wait && got.status !== want.status) return true
    return settle === true && differences(want.body, got.body).length > 0
  }

  async #once(request: RecordedRequest): Promise<JsonObject> {
    const { status, warning, contentType, body } = await this.#requests.send(request)
    for (const [name, path] of Object.entries(request.save ?? {}))
      this.#variables[name] = String(valueAt(body, path.split('.')))
    return {
      status,
      ...(warning && { warning: this.#normal.of([warning], request) }),
      ...(contentType && { contentType }),
      body: this.#normal.of(body, request),
    }
  }

  async #watch(recorded: RecordedRequest, request: RecordedRequest, want?: RecordedAnswer): Promise<JsonObject> {
    const watch = await this.#requests.watch(request.watch!)
    const steps: JsonObject[] = []
    for (const [index, inner] of (recorded.steps ?? []).entries())
      steps.push(await this.#step(inner, want?.steps?.[index]))
    await watch.until(request.events ?? 1, 5000)
    watch.close()
    const events = watch.events.slice(0, request.events).map((event) => this.#normal.of(event, request))
    return { status: watch.status, events, steps }
  }

  #filled(request: RecordedRequest): RecordedRequest {
    return this.#fill(request as unknown as JsonValue) as unknown as RecordedRequest
  }

  #fill(value: JsonValue): JsonValue {
    if (typeof value === 'string')
      return value.replace(/\{(\w+)\}/g, (whole, name: string) => this.#variables[name] ?? whole)
    if (Array.isArray(value)) return value.map((element) => this.#fill(element))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value).map(([key, member]) => [this.#fill(key) as string, this.#fill(member)]),
    )
  }
}
