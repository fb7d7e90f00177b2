import { chooseFamilies } from '../../../api/core/v1/service/ip-families.js'
import { needsClusterIp } from '../../../api/core/v1/service/types.js'
import type { Service } from '../../../api/core/v1/service.js'
import { invalid } from '../../../api/errors.js'
import { builtin } from '../../../api/scheme.js'
import type { Environment } from '../../../base/environment.js'
import { canonicalObject } from '../../../schema/encode.js'
import type { Draft } from '../../../schema/infer.js'
import type { ObjectChange, ObjectStore } from '../../cache/object-store.js'
import type { PortRange } from '../../options.js'
import type { PendingWrite, ResourceHooks } from '../resource-hooks.js'
import { ClusterIps, clusterIpsOf, serviceCidrPrefix } from './cluster-ips.js'
import { NodePorts, nodePortsOf } from './node-ports.js'
import { addressReservations, portReservations, type ReservationOwner, type Reservations } from './reservations.js'

export interface ServiceAllocationDependencies {
  readonly store: ObjectStore
  readonly environment: Environment
  readonly clusterIpRanges: readonly string[]
  readonly nodePorts: PortRange
}

/** Reserves the addresses and node ports of a service in the transaction that creates or changes it, and releases them when it is deleted. */
export function serviceHooks(dependencies: ServiceAllocationDependencies): ResourceHooks {
  const { store, environment, nodePorts } = dependencies
  const { random } = environment
  const addresses = addressReservations(store, environment)
  const ports = portReservations(store)
  const serviceCidrs = store.collection(serviceCidrPrefix)
  const clusterIps = new ClusterIps({
    ranges: dependencies.clusterIpRanges,
    reservations: addresses,
    serviceCidrs,
    random,
  })
  const allocation: Allocation = {
    addresses,
    ports,
    clusterIps,
    nodePorts: new NodePorts({ ...nodePorts, reservations: ports, random }),
  }
  return { companions: (write) => companions(allocation, write) }
}

interface Allocation {
  readonly addresses: Reservations
  readonly ports: Reservations
  readonly clusterIps: ClusterIps
  readonly nodePorts: NodePorts
}

function companions(allocation: Allocation, { draft, old, dryRun }: PendingWrite): readonly ObjectChange[] {
  const service = draft as Draft<Service> | undefined
  const before = old?.object as Service | undefined
  if (service) assign(allocation, service, before, dryRun)
  if (dryRun) return []
  const { metadata } = service ?? before!
  const owner = { namespace: metadata.namespace ?? '', name: metadata.name ?? '' }
  return [
    ...differences(allocation.addresses, owner, clusterIpsOf(before), clusterIpsOf(service)),
    ...differences(allocation.ports, owner, asStrings(nodePortsOf(before)), asStrings(nodePortsOf(service))),
  ]
}

function assign(
  { clusterIps, nodePorts }: Allocation,
  service: Draft<Service>,
  before: Service | undefined,
  dryRun: boolean,
): void {
  const errors = chooseFamilies(service, before, clusterIps.families)
  if (errors.length > 0) throw invalid({ group: '', kind: 'Service' }, service.metadata.name ?? '', errors)
  if (needsClusterIp(service)) clusterIps.assign(service, clusterIpsOf(before), dryRun)
  nodePorts.assign(service, before, dryRun)
  service.spec = canonicalObject(builtin.type('core/v1.ServiceSpec'), service.spec) as Draft<Service>['spec']
}

function asStrings(ports: ReadonlySet<number>): ReadonlySet<string> {
  return new Set([...ports].map(String))
}

function differences(
  reservations: Reservations,
  owner: ReservationOwner,
  before: ReadonlySet<string>,
  after: ReadonlySet<string>,
): readonly ObjectChange[] {
  const reserved = [...after].filter((name) => !before.has(name)).map((name) => reservations.reserve(name, owner))
  const released = [...before].filter((name) => !after.has(name)).flatMap((name) => reservations.release(name, owner))
  return [...reserved, ...released]
}
