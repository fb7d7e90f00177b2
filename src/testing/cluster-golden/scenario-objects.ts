import type { Timer } from '../../base/clock.js'
import type { JsonObject } from '../../schema/declaration.js'
import { formatTime } from '../../schema/values/time.js'
import { fillPlaceholders } from '../golden/placeholders.js'
import { collectionPath, resourceOfKind } from './resource-paths.js'
import type { ScenarioManifest, ScenarioVariables } from './scenario.js'
import { responseSummary, type ScenarioContext } from './scenario-context.js'

/** In milliseconds. */
const heartbeatPeriod = 5000

/** Creates the objects of a scenario, and sends heartbeats for its nodes. */
export class ScenarioObjects {
  readonly #context: ScenarioContext
  readonly #variables: ScenarioVariables
  readonly #silent: readonly string[]
  /** Paths of cluster-scoped objects, in order of creation. */
  readonly #others: string[] = []
  readonly #nodes: string[] = []
  #heartbeat: Timer | undefined

  /** Nodes that are `silent` send no heartbeat. */
  constructor(context: ScenarioContext, variables: ScenarioVariables, silent: readonly string[] = []) {
    this.#context = context
    this.#variables = variables
    this.#silent = silent.map((name) => fillPlaceholders(name, variables))
  }

  async create(manifest: ScenarioManifest): Promise<void> {
    const object = fillPlaceholders(manifest, this.#variables)
    const resource = resourceOfKind(object.kind)
    const path = collectionPath(resource, (object.metadata.namespace as string | undefined) ?? this.#variables.ns)
    const body = { apiVersion: resource.apiVersion, ...(object.kind === 'Node' ? this.#alive(object) : object) }
    const received = await this.#context.requests.send({ method: 'POST', path, body })
    const name = String(object.metadata.name)
    if (received.status >= 300) throw new Error(`create ${object.kind} ${name}: ${responseSummary(received)}`)
    if (resource.namespaced) return
    if (object.kind !== 'Node') this.#others.push(`${path}/${name}`)
    else if (this.#nodes.push(name) === 1) this.#beatLater()
  }

  /** Adds a heartbeat to conditions: without one, the node controller treats the node as lost. */
  #alive(node: ScenarioManifest): JsonObject {
    const { conditions = [], ...status } = (node.status ?? {}) as { readonly conditions?: readonly JsonObject[] }
    const now = formatTime(this.#context.clock.now())
    const times = { lastHeartbeatTime: now, lastTransitionTime: now }
    return { ...node, status: { ...status, conditions: conditions.map((condition) => ({ ...times, ...condition })) } }
  }

  #beatLater(): void {
    this.#heartbeat = this.#context.clock.timer(heartbeatPeriod, () => {
      for (const name of this.#nodes) if (!this.#silent.includes(name)) void this.#beat(name)
      this.#beatLater()
    })
  }

  async #beat(name: string): Promise<void> {
    const lastHeartbeatTime = formatTime(this.#context.clock.now())
    await this.#context.requests.send({
      method: 'PATCH',
      path: `/api/v1/nodes/${name}/status`,
      type: 'application/strategic-merge-patch+json',
      body: { status: { conditions: [{ type: 'Ready', status: 'True', lastHeartbeatTime }] } },
    })
  }

  stopHeartbeats(): void {
    this.#heartbeat?.cancel()
  }

  /** Deletes all cluster-scoped objects except nodes. */
  async removeOthers(): Promise<void> {
    for (const path of this.#others.reverse()) await this.#context.requests.send({ method: 'DELETE', path })
  }

  async removeNodes(): Promise<void> {
    for (const name of this.#nodes)
      await this.#context.requests.send({ method: 'DELETE', path: `/api/v1/nodes/${name}` })
  }
}
