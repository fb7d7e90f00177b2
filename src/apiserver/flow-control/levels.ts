import type { FlowSchema } from '../../api/flowcontrol/v1/flow-schema.js'
import { mandatoryFlowSchemas, mandatoryPriorityLevels } from '../../api/flowcontrol/v1/mandatory-flows.js'
import type {
  PriorityLevelConfiguration,
  PriorityLevelConfigurationSpec,
} from '../../api/flowcontrol/v1/priority-level-configuration.js'
import type { Clock } from '../../base/clock.js'
import type { ResourceMap } from '../registry/resource-map.js'
import type { ServedResource } from '../registry/served-resource.js'
import type { RequestInfo } from '../request/request-info.js'
import type { RequestUser } from '../request/user.js'
import { type Flow, FlowSchemas } from './flow-schemas.js'
import { type LevelLimits, PriorityLevel } from './priority-level.js'

export interface FlowControlOptions {
  readonly clock: Clock
  /** The seats of all levels together. */
  readonly seats: number
  /** Upper bound of the time in a queue, in milliseconds. */
  readonly patience: number
}

/** The flow of a request and its priority level. An undefined level is exempt: its requests always run. */
export interface Assignment extends Flow {
  readonly level: PriorityLevel | undefined
  readonly levelObject: PriorityLevelConfiguration
}

const group = 'flowcontrol.apiserver.k8s.io'

/** Flow schemas and priority levels of the cluster. A change applies from the next request on. */
export class FlowLevels {
  readonly #options: FlowControlOptions
  readonly #schemas: ServedResource
  readonly #configurations: ServedResource
  /** By name. A deleted level stays until its last request has ended. */
  readonly #levels = new Map<string, PriorityLevel>()
  readonly #objects = new Map<string, PriorityLevelConfiguration>()
  #current: FlowSchemas | undefined

  constructor(resources: ResourceMap, options: FlowControlOptions) {
    this.#options = options
    this.#schemas = resources.find(group, 'v1', 'flowschemas')!
    this.#configurations = resources.find(group, 'v1', 'prioritylevelconfigurations')!
    const reset = () => {
      this.#current = undefined
    }
    for (const { objects } of [this.#schemas, this.#configurations]) objects.follow({ changed: reset, reset })
  }

  get levels(): ReadonlyMap<string, PriorityLevel> {
    return this.#levels
  }

  assign(info: RequestInfo, user: RequestUser): Assignment {
    this.#current ??= this.#load()
    const flow = this.#current.flowOf(info, user)
    const { schema, key } = flow ?? { schema: catchAll, key: `catch-all/${user.name}` }
    const { name } = schema.spec.priorityLevelConfiguration
    return { schema, key, level: this.#levels.get(name), levelObject: this.#objects.get(name)! }
  }

  #load(): FlowSchemas {
    this.#objects.clear()
    for (const object of mandatoryLevels) this.#objects.set(object.metadata.name!, object)
    for (const object of all<PriorityLevelConfiguration>(this.#configurations))
      this.#objects.set(object.metadata.name!, object)
    this.#arrange([...this.#objects.values()])
    // A schema without its level is ignored.
    const schemas = all<FlowSchema>(this.#schemas).filter(({ spec }) =>
      this.#objects.has(spec.priorityLevelConfiguration.name),
    )
    return new FlowSchemas(schemas)
  }

  #arrange(objects: readonly PriorityLevelConfiguration[]): void {
    const shares = objects.reduce((sum, { spec }) => sum + sharesOf(spec), 0)
    for (const [name, level] of this.#levels)
      if (!this.#objects.has(name) && level.executing + level.waiting === 0) this.#levels.delete(name)
    for (const { metadata, spec } of objects) {
      const name = metadata.name!
      if (spec.type === 'Exempt') this.#levels.delete(name)
      else this.#put(name, limitsOf(spec, this.#options.seats, shares))
    }
  }

  #put(name: string, limits: LevelLimits): void {
    const known = this.#levels.get(name)
    const { clock, patience } = this.#options
    if (!known)
      this.#levels.set(name, new PriorityLevel(limits, { clock, patience, mayBorrow: () => this.#hasSpare() }))
    else {
      known.limits = limits
      known.serve()
    }
  }

  #hasSpare(): boolean {
    let spare = 0
    for (const level of this.#levels.values()) spare += level.spare - level.borrowed
    return spare > 0
  }

  /** Hands on a released seat: first within its level, then to levels that borrow. */
  leave(level: PriorityLevel): void {
    level.leave()
    for (const other of this.#levels.values()) if (other.waiting > 0) other.serve()
  }
}

function all<T>(resource: ServedResource): readonly T[] {
  const objects = resource.objects.list(resource.prefix)
  return objects.map(({ object }) => resource.fromStored(object) as T)
}

function sharesOf({ type, limited, exempt }: PriorityLevelConfigurationSpec): number {
  return type === 'Exempt' ? (exempt?.nominalConcurrencyShares ?? 0) : (limited?.nominalConcurrencyShares ?? 30)
}

function limitsOf(spec: PriorityLevelConfigurationSpec, total: number, shares: number): LevelLimits {
  const { lendablePercent = 0, borrowingLimitPercent, limitResponse } = spec.limited ?? {}
  const seats = Math.ceil((total * sharesOf(spec)) / Math.max(1, shares))
  const part = (percent: number) => Math.round((seats * percent) / 100)
  const { queues = 64, handSize = 8, queueLengthLimit = 50 } = limitResponse?.queuing ?? {}
  const perFlow = handSize * queueLengthLimit
  return {
    seats,
    lendable: part(lendablePercent ?? 0),
    borrowable: borrowingLimitPercent == null ? Number.POSITIVE_INFINITY : part(borrowingLimitPercent),
    queue: limitResponse?.type === 'Queue' ? { perFlow, total: queues * queueLengthLimit } : undefined,
  }
}

const mandatoryLevels = Object.entries(mandatoryPriorityLevels).map(
  ([name, spec]) => ({ metadata: { name }, spec }) as PriorityLevelConfiguration,
)

const catchAll = {
  metadata: { name: 'catch-all' },
  spec: mandatoryFlowSchemas['catch-all'],
} as FlowSchema
