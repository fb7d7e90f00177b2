import type { JsonObject } from '../../schema/declaration.js'
import type { StepComparison } from './known-differences.js'
import { differences, NormalForm, valueAt } from './normal-form.js'
import { fillPlaceholders } from './placeholders.js'
import type { RecordedRequest, RecordedRequests, RecordedResponse } from './recording.js'
import { type RequestServer, Requests } from './requests.js'
import { mapConcurrently } from './worker-pool.js'

export interface StepResult extends StepComparison {
  readonly request: string
  readonly sameStatus: boolean
}

export interface ReplayOptions {
  /** How many scenarios may run at the same time, as far as they keep to namespaces of their own. One unless told. */
  readonly concurrency?: number
  /** Whether a step is known to differ: it is not waited for. */
  readonly isKnown?: (scenario: string, step: number) => boolean
}

/** Sends the requests of the scenarios to a server and compares its answers with the recorded ones. */
export async function* replay(
  scenarios: readonly RecordedRequests[],
  target: RequestServer,
  { concurrency = 1, isKnown = () => false }: ReplayOptions = {},
): AsyncIterable<StepResult> {
  const requests = new Requests(target)
  const run = Date.now().toString(36)
  const play = (scenario: RecordedRequests) =>
    new Replay(scenario, { requests, run, isKnown, number: scenarios.indexOf(scenario) }).play()
  try {
    const [alone, beside] = parted(scenarios)
    for (const results of await mapConcurrently(beside, concurrency, play)) yield* results
    for (const scenario of alone) yield* await play(scenario)
  } finally {
    requests.close()
  }
}

/** What looks beyond its own namespace, or changes what all see, must be alone with the server. */
function parted(
  scenarios: readonly RecordedRequests[],
): readonly [alone: RecordedRequests[], beside: RecordedRequests[]] {
  const paths = ({ steps }: RecordedRequests) => steps.flatMap(({ request }) => [request, ...(request.steps ?? [])])
  const isAlone = (scenario: RecordedRequests) =>
    scenario.clusterScoped || paths(scenario).some(({ path, watch }) => !(path ?? watch ?? '').includes('{ns}'))
  return [scenarios.filter(isAlone), scenarios.filter((scenario) => !isAlone(scenario))]
}

interface ReplayContext {
  readonly requests: Requests
  readonly run: string
  readonly number: number
  readonly isKnown: (scenario: string, step: number) => boolean
}

class Replay {
  readonly #scenario: RecordedRequests
  readonly #requests: Requests
  readonly #variables: Record<string, string>
  readonly #normal: NormalForm
  readonly #isKnown: (scenario: string, step: number) => boolean
  #step = 0

  constructor(scenario: RecordedRequests, { requests, run, number, isKnown }: ReplayContext) {
    this.#scenario = scenario
    this.#requests = requests
    this.#isKnown = isKnown
    this.#variables = { ns: `g-${number}-${run}`, id: `${run}${number}`, rv: '0' }
    this.#normal = new NormalForm(this.#variables)
  }

  async play(): Promise<readonly StepResult[]> {
    await this.#begin()
    const results: StepResult[] = []
    for (const { request, answer } of this.#scenario.steps) {
      const got = await this.#send(request, answer)
      results.push({
        scenario: this.#scenario.name,
        step: this.#step++,
        request: `${request.method ?? (request.watch ? 'WATCH' : 'GET')} ${request.path ?? request.watch}`,
        sameStatus: got.status === answer?.status,
        differences: answer ? differences(answer as unknown as JsonObject, got) : ['nothing is recorded'],
      })
    }
    await this.#end()
    return results
  }

  /** In milliseconds. A difference that is known gets less time to go away than an answer gets to come. */
  get #patience(): number {
    return this.#isKnown(this.#scenario.name, this.#step) ? 200 : 10_000
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

  async #send(recorded: RecordedRequest, want: RecordedResponse | undefined): Promise<JsonObject> {
    const request = this.#filled(recorded)
    if (request.watch) return this.#watch(recorded, request, want)
    const attempts = this.#patience / 200
    for (let attempt = 0; ; attempt++) {
      const got = await this.#once(request, want)
      if (attempt >= attempts || !this.#mustWait(request, want, got)) return got
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
  }

  #mustWait({ wait, settle }: RecordedRequest, want: RecordedResponse | undefined, got: JsonObject): boolean {
    if (!want) return false
    if (wait && got.status !== want.status) return true
    return settle === true && differences(want.body, got.body).length > 0
  }

  async #once(request: RecordedRequest, want: RecordedResponse | undefined): Promise<JsonObject> {
    const { status, warning, contentType, body } = await this.#requests.send(request, want?.status)
    for (const [name, path] of Object.entries(request.save ?? {}))
      this.#variables[name] = String(valueAt(body, path.split('.')))
    return {
      status,
      ...(warning && { warning: this.#normal.of([warning], request) }),
      ...(contentType && { contentType }),
      body: this.#normal.of(body, request),
    }
  }

  async #watch(recorded: RecordedRequest, request: RecordedRequest, want?: RecordedResponse): Promise<JsonObject> {
    const watch = await this.#requests.watch(request.watch!)
    const steps: JsonObject[] = []
    for (const [index, inner] of (recorded.steps ?? []).entries())
      steps.push(await this.#send(inner, want?.steps?.[index]))
    await watch.until(request.events ?? 1, this.#patience)
    watch.close()
    const events = watch.events.slice(0, request.events).map((event) => this.#normal.of(event, request))
    return { status: watch.status, events, steps }
  }

  #filled(request: RecordedRequest): RecordedRequest {
    return fillPlaceholders(request as unknown as JsonObject, this.#variables) as unknown as RecordedRequest
  }
}
