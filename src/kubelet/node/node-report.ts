import type { NodeStatus } from '../../api/core/v1/node/status.js'
import type { Node } from '../../api/core/v1/node.js'
import type { Environment } from '../../base/environment.js'
import { formatTime } from '../../schema/values/time.js'
import { nextConditions } from './node-conditions.js'
import type { NodeEvents } from './node-events.js'
import type { HostFacts, NodeHost } from './node-host.js'
import type { NodeIdentity } from './node-identity.js'
import { withRequiredLabels } from './node-object.js'
import type { NodeOptions } from './node-options.js'
import { canonicalNode } from './node-patch.js'
import { allocatableOf, capacityOf, type NodeResources } from './node-resources.js'
import { nodeStatusFields } from './node-status-fields.js'
import { noPressure, Pressure, type Pressures } from './pressure.js'
import type { RuntimeHealth } from './runtime-health.js'
import { standardThresholds, type Thresholds, thresholdsOf } from './thresholds.js'

export interface NodeReportDependencies {
  readonly environment: Environment
  readonly identity: NodeIdentity
  readonly host: NodeHost
  readonly health: RuntimeHealth
  readonly events: NodeEvents
  readonly options: NodeOptions
  readonly port: number
  readonly version: string
}

/** Everything that a report depends on, except the time. */
export interface ReportInputs {
  readonly node: Node
  readonly pressures: Pressures
  readonly problems: string
  readonly runtimeStatus: unknown
  readonly version: string | undefined
  readonly images: unknown
}

/** Computes the Node object and its status. */
export class NodeReport {
  readonly facts: HostFacts
  readonly resources: NodeResources
  readonly #dependencies: NodeReportDependencies
  readonly #thresholds: Thresholds
  readonly #pressure: Pressure

  /** Resolves when the host has been measured. */
  static async create(dependencies: NodeReportDependencies): Promise<NodeReport> {
    const { host, identity } = dependencies
    const [facts, { capacity }] = await Promise.all([host.facts(), host.measure(identity.rootFolder)])
    return new NodeReport(dependencies, facts, capacity)
  }

  private constructor(dependencies: NodeReportDependencies, facts: HostFacts, storage: number) {
    const { options, host, identity, health } = dependencies
    const { evictionHard = standardThresholds, pressureTransition } = options
    this.facts = facts
    this.#dependencies = dependencies
    this.#thresholds = thresholdsOf(evictionHard)
    const capacity = capacityOf(facts, storage, options)
    this.resources = { capacity, allocatable: allocatableOf(capacity, options, this.#thresholds) }
    const folders = () => ({ node: identity.rootFolder, images: health.imageFolder })
    this.#pressure = new Pressure({ host, thresholds: this.#thresholds, folders, transition: pressureTransition })
  }

  /** Two reports with equal inputs differ only in their heartbeats. */
  async inputs(node: Node): Promise<ReportInputs> {
    const { health } = this.#dependencies
    const { runtimeStatus, version, images } = health
    return {
      node,
      pressures: await this.#pressures(),
      problems: health.problems.join(),
      runtimeStatus,
      version,
      images,
    }
  }

  /** Returns the updated Node, and records events about changes. */
  async next(node: Node): Promise<Node> {
    const { events } = this.#dependencies
    const { bootID } = node.status.nodeInfo ?? {}
    if (bootID && bootID !== this.facts.bootId) events.rebooted(this.facts.bootId)
    return canonicalNode({ ...withRequiredLabels(node, this.facts), status: await this.status(node.status) })
  }

  async status(before: NodeStatus): Promise<NodeStatus> {
    const { environment, health, events } = this.#dependencies
    const pressures = await this.#pressures()
    const now = formatTime(environment.clock.now())
    const input = { now, pressures, problems: health.problems }
    const { conditions, events: changes } = nextConditions(before.conditions ?? [], input)
    for (const change of changes) events.statusChanged(change)
    return { ...this.#fields(before), conditions }
  }

  #fields(before: NodeStatus): NodeStatus {
    const { identity, options, health, port, version } = this.#dependencies
    return nodeStatusFields(before, {
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

  /** A host that cannot be measured counts as free of pressure. */
  async #pressures(): Promise<Pressures> {
    const { clock, log } = this.#dependencies.environment
    try {
      return await this.#pressure.measure(clock.monotonic())
    } catch (error) {
      log.warn('host pressure unknown', { error })
      return noPressure
    }
  }
}

export function areSameInputs(one: ReportInputs | undefined, other: ReportInputs): boolean {
  if (one?.node !== other.node || one.problems !== other.problems || one.runtimeStatus !== other.runtimeStatus)
    return false
  if (one.version !== other.version || one.images !== other.images) return false
  const { memory, disk, processes } = one.pressures
  return memory === other.pressures.memory && disk === other.pressures.disk && processes === other.pressures.processes
}
