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

/** The ports of nodes by which services are reached from outside. */
export class NodePorts {
  readonly #parts: NodePortDependencies
  readonly #band: AllocationRange

  constructor(parts: NodePortDependencies) {
    this.#parts = parts
    const size = parts.last - parts.first + 1
    const lower = size < 32 ? 0 : Math.min(Math.max(16, Math.floor(size / 32)), 128)
    this.#band = { size: BigInt(size), lower: BigInt(lower) }
  }

  /** Gives a service the ports that it asks for, or any where it asks for none. `old` is what it replaces, whose ports are its own. */
  assign(service: Draft<Service>, old: Service | undefined, dryRun: boolean): void {
    const choice = new PortAllocation(this, nodePortsOf(old), dryRun)
    if (needsNodePorts(service)) {
      const ports = old ? this.#changed(service, choice) : this.#first(service, choice)
      service.spec = { ...service.spec, ports }
    }
    if (needsHealthCheckPort(service)) this.#assignHealthCheckPort(service, choice)
  }

  /** Ports of one number share a node port, whatever their protocols. */
  #first(service: Draft<Service>, choice: PortAllocation): Draft<ServicePort>[] {
    const ports = service.spec.ports ?? []
    const shared = new Map<number, number>()
    return ports.map((port, i) => {
      if (!port.nodePort && !wantsNodePorts(service)) return port
      const known = shared.get(port.port)
      if (known !== undefined && (!port.nodePort || port.nodePort === known)) return { ...port, nodePort: known }
      const asked =
        port.nodePort || ports.slice(i).find((other) => other.port === port.port && other.nodePort)?.nodePort
      const nodePort = asked ? askedFor(service, i, asked, choice) : choice.any()
      if (known === undefined) shared.set(port.port, nodePort)
      return { ...port, nodePort }
    })
  }

  #changed(service: Draft<Service>, choice: PortAllocation): Draft<ServicePort>[] {
    return (service.spec.ports ?? []).map((port, i) => {
      if (!port.nodePort) return wantsNodePorts(service) ? { ...port, nodePort: choice.any() } : port
      return { ...port, nodePort: askedFor(service, i, port.nodePort, choice) }
    })
  }

  #assignHealthCheckPort(service: Draft<Service>, choice: PortAllocation): void {
    const { healthCheckNodePort: asked } = service.spec
    const problem = asked ? choice.problemWith(asked) : undefined
    if (problem) throw internalError(`failed to allocate requested HealthCheck NodePort ${asked}: ${problem}`)
    service.spec = { ...service.spec, healthCheckNodePort: asked || choice.any() }
  }

  problemWith(port: number, dryRun: boolean): string | undefined {
    const { first, last } = this.#parts
    if (!dryRun && (port < first || port > last))
      return `provided port is not in the valid range. The range of valid ports is ${first}-${last}`
    return this.#parts.reservations.isReserved(String(port)) ? alreadyAllocated : undefined
  }

  anyBut(taken: ReadonlySet<number>): number {
    for (const offset of allocationOrder(this.#band, this.#parts.random)) {
      const port = this.#parts.first + Number(offset)
      if (!taken.has(port) && !this.#parts.reservations.isReserved(String(port))) return port
    }
    throw internalError('failed to allocate a nodePort: range is full')
  }
}

/** What one service takes in one write. */
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

  /** Takes a port, or says why not. */
  problemWith(port: number): string | undefined {
    if (this.#own.has(port)) return undefined
    const problem = this.#taken.has(port) ? alreadyAllocated : this.#ports.problemWith(port, this.#dryRun)
    if (!problem) this.#taken.add(port)
    return problem
  }

  any(): number {
    const port = this.#ports.anyBut(this.#taken)
    this.#taken.add(port)
    return port
  }
}

function askedFor({ metadata }: Draft<Service>, i: number, asked: number, choice: PortAllocation): number {
  const problem = choice.problemWith(asked)
  if (!problem) return asked
  const path = fieldPath('spec').child('ports').index(i).child('nodePort')
  throw invalid({ group: '', kind: 'Service' }, metadata.name ?? '', [field.invalid(path, asked, problem)])
}

/** The node ports that a service holds. */
export function nodePortsOf(service: Service | undefined): ReadonlySet<number> {
  const { ports = [], healthCheckNodePort } = service?.spec ?? {}
  return new Set([...ports.map(({ nodePort }) => nodePort), healthCheckNodePort].filter((port) => port) as number[])
}
