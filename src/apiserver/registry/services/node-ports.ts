import { needsHealthCheckPort, needsNodePorts, wantsNodePorts } from '../../../api/core/v1/service/types.js'
import type { Service, ServicePort } from '../../../api/core/v1/service.js'
import { internalError, invalid } from '../../../api/errors.js'
import type { Random } from '../../../base/random.js'
import * as field from '../../../schema/field-errors.js'
import { fieldPath } from '../../../schema/field-path.js'
import type { Draft } from '../../../schema/infer.js'
import { type AllocationRange, allocationOrder } from './address-range.js'
import type { Reservations } from './reservations.js'

export interface NodePortDependencies {
  readonly first: number
  readonly last: number
  readonly reservations: Reservations
  readonly random: Random
}

const alreadyAllocated = 'provided port is already allocated'

/** Allocates node ports. */
export class NodePorts {
  readonly #dependencies: NodePortDependencies
  readonly #range: AllocationRange

  constructor(dependencies: NodePortDependencies) {
    this.#dependencies = dependencies
    const size = dependencies.last - dependencies.first + 1
    const lower = size < 32 ? 0 : Math.min(Math.max(16, Math.floor(size / 32)), 128)
    this.#range = { size: BigInt(size), lower: BigInt(lower) }
  }

  /** Assigns the requested ports, or free ones, to a service. It may keep the ports of `old`, which it replaces. */
  assign(service: Draft<Service>, old: Service | undefined, dryRun: boolean): void {
    const allocation = new PortAllocation(this, nodePortsOf(old), dryRun)
    if (needsNodePorts(service)) {
      const ports = old ? this.#changed(service, allocation) : this.#first(service, allocation)
      service.spec = { ...service.spec, ports }
    }
    if (needsHealthCheckPort(service)) this.#assignHealthCheckPort(service, allocation)
  }

  /** Service ports with the same number share a node port, whatever their protocols. */
  #first(service: Draft<Service>, allocation: PortAllocation): Draft<ServicePort>[] {
    const ports = service.spec.ports ?? []
    const shared = new Map<number, number>()
    return ports.map((port, i) => {
      if (!port.nodePort && !wantsNodePorts(service)) return port
      const known = shared.get(port.port)
      if (known !== undefined && (!port.nodePort || port.nodePort === known)) return { ...port, nodePort: known }
      const requested =
        port.nodePort || ports.slice(i).find((other) => other.port === port.port && other.nodePort)?.nodePort
      const nodePort = requested ? allocateRequested(service, i, requested, allocation) : allocation.any()
      if (known === undefined) shared.set(port.port, nodePort)
      return { ...port, nodePort }
    })
  }

  #changed(service: Draft<Service>, allocation: PortAllocation): Draft<ServicePort>[] {
    return (service.spec.ports ?? []).map((port, i) => {
      if (!port.nodePort) return wantsNodePorts(service) ? { ...port, nodePort: allocation.any() } : port
      return { ...port, nodePort: allocateRequested(service, i, port.nodePort, allocation) }
    })
  }

  #assignHealthCheckPort(service: Draft<Service>, allocation: PortAllocation): void {
    const { healthCheckNodePort: requested } = service.spec
    const problem = requested ? allocation.problemWith(requested) : undefined
    if (problem) throw internalError(`failed to allocate requested HealthCheck NodePort ${requested}: ${problem}`)
    service.spec = { ...service.spec, healthCheckNodePort: requested || allocation.any() }
  }

  problemWith(port: number, dryRun: boolean): string | undefined {
    const { first, last } = this.#dependencies
    if (!dryRun && (port < first || port > last))
      return `provided port is not in the valid range. The range of valid ports is ${first}-${last}`
    return this.#dependencies.reservations.isReserved(String(port)) ? alreadyAllocated : undefined
  }

  anyExcept(taken: ReadonlySet<number>): number {
    for (const offset of allocationOrder(this.#range, this.#dependencies.random)) {
      const port = this.#dependencies.first + Number(offset)
      if (!taken.has(port) && !this.#dependencies.reservations.isReserved(String(port))) return port
    }
    throw internalError('failed to allocate a nodePort: range is full')
  }
}

/** The ports that one write of a service allocates. */
class PortAllocation {
  readonly #ports: NodePorts
  readonly #own: ReadonlySet<number>
  readonly #dryRun: boolean
  readonly #taken = new Set<number>()

  constructor(ports: NodePorts, own: ReadonlySet<number>, dryRun: boolean) {
    this.#ports = ports
    this.#own = own
    this.#dryRun = dryRun
  }

  /** Allocates a port. Returns the reason if it cannot. */
  problemWith(port: number): string | undefined {
    if (this.#own.has(port)) return undefined
    const problem = this.#taken.has(port) ? alreadyAllocated : this.#ports.problemWith(port, this.#dryRun)
    if (!problem) this.#taken.add(port)
    return problem
  }

  any(): number {
    const port = this.#ports.anyExcept(this.#taken)
    this.#taken.add(port)
    return port
  }
}

function allocateRequested(
  { metadata }: Draft<Service>,
  i: number,
  requested: number,
  allocation: PortAllocation,
): number {
  const problem = allocation.problemWith(requested)
  if (!problem) return requested
  const path = fieldPath('spec').child('ports').index(i).child('nodePort')
  throw invalid({ group: '', kind: 'Service' }, metadata.name ?? '', [field.invalid(path, requested, problem)])
}

/** The node ports of a service. */
export function nodePortsOf(service: Service | undefined): ReadonlySet<number> {
  const { ports = [], healthCheckNodePort } = service?.spec ?? {}
  return new Set([...ports.map(({ nodePort }) => nodePort), healthCheckNodePort].filter((port) => port) as number[])
}
