import type { NodeStatus } from '../../api/core/v1/node/status.js'
import type { Node } from '../../api/core/v1/node.js'
import type { Environment } from '../../base/environment.js'
import { formatTime } from '../../schema/values/time.js'
import { nextConditions } from './conditions.js'
import type { Machine, MachineFacts } from './machine.js'
import type { NodeEvents } from './node-events.js'
import type { NodeIdentity } from './node-identity.js'
import { withRequiredLabels } from './node-object.js'
import type { NodeOptions } from './node-options.js'
import { allocatableOf, capacityOf, type NodeResources } from './node-resources.js'
import { noPressure, Pressure, type Pressures } from './pressure.js'
import type { RuntimeHealth } from './runtime-health.js'
import { statusFields } from './status-fields.js'
import { canonicalNode } from './status-patch.js'
import { standardThresholds, type Thresholds, thresholdsOf } from './thresholds.js'

export interface NodeReportParts {
  readonly environment: Environment
  readonly identity: NodeIdentity
  readonly machine: Machine
  readonly health: RuntimeHealth
  readonly events: NodeEvents
  readonly options: NodeOptions
  readonly port: number
  readonly version: string
}

/** What the kubelet has to say about its node. */
export class NodeReport {
  readonly facts: MachineFacts
  readonly resources: NodeResources
  readonly #parts: NodeReportParts
  readonly #thresholds: Thresholds
  readonly #pressure: Pressure

  /** Resolves when the machine was looked at. */
  static async begin(parts: NodeReportParts): Promise<NodeReport> {
    const { machine, identity } = parts
    const [facts, { capacity }] = await Promise.all([machine.facts(), machine.measure(identity.rootFolder)])
    return new NodeReport(parts, facts, capacity)
  }

  private constructor(parts: NodeReportParts, facts: MachineFacts, storage: number) {
    const { options, machine, identity, health } = parts
    const { evictionHard = standardThresholds, pressureTransition } = options
    this.facts = facts
    this.#parts = parts
    this.#thresholds = thresholdsOf(evictionHard)
    const capacity = capacityOf(facts, storage, options)
    this.resources = { capacity, allocatable: allocatableOf(capacity, options, this.#thresholds) }
    const folders = () => ({ node: identity.rootFolder, images: health.imageFolder })
    this.#pressure = new Pressure({ machine, thresholds: this.#thresholds, folders, transition: pressureTransition })
  }

  /** The Node as it should be, from what it is. Tells what changed as events. */
  async next(node: Node): Promise<Node> {
    const { events } = this.#parts
    const { bootID } = node.status.nodeInfo ?? {}
    if (bootID && bootID !== this.facts.bootId) events.rebooted(this.facts.bootId)
    return canonicalNode({ ...withRequiredLabels(node, this.facts), status: await this.status(node.status) })
  }

  async status(before: NodeStatus): Promise<NodeStatus> {
    const { environment, health, events } = this.#parts
    const pressures = await this.#pressures()
    const now = formatTime(environment.clock.now())
    const input = { now, pressures, problems: health.problems }
    const { conditions, events: changes } = nextConditions(before.conditions ?? [], input)
    for (const change of changes) events.isNow(change)
    return { ...this.#fields(before), conditions }
  }

  #fields(before: NodeStatus): NodeStatus {
    const { identity, options, health, port, version } = this.#parts
    return statusFields(before, {
      facts: this.facts,
      capacity: this.resources.capacity,
      reservations: options,
      thresholds: this.#thresholds,
      health,
      addresses: identity.hostAddresses,
      hostname: options.hostname ?? identity.nodeName,
      port,
      version,
      maxImages: options.maxImages ?? 50,
    })
  }

  /** A machine that cannot be measured is not under pressure as far as anybody knows. */
  async #pressures(): Promise<Pressures> {
    const { clock, log } = this.#parts.environment
    try {
      return await this.#pressure.look(clock.monotonic())
    } catch (error) {
      log.warn('whether the machine is under pressure cannot be told', { error })
      return noPressure
    }
  }
}
