import { chooseFamilies } from '../../../api/core/v1/service/ip-families.js'
import { needsClusterIp } from '../../../api/core/v1/service/types.js'
import type { Service } from '../../../api/core/v1/service.js'
import { invalid } from '../../../api/errors.js'
import { builtin } from '../../../api/scheme.js'
import type { Environment } from '../../../base/environment.js'
import { canonical } from '../../../schema/encode.js'
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

/** Services get addresses and node ports with the write that makes or changes them, and give them back with the one that ends that. */
export function serviceHooks(parts: ServiceAllocationDependencies): ResourceHooks {
  const { store, environment, nodePorts } = parts
  const { random } = environment
  const addresses = addressReservations(store, environment)
  const ports = portReservations(store)
  const serviceCidrs = store.collection(serviceCidrPrefix)
  const clusterIps = new ClusterIps({ ranges: parts.clusterIpRanges, reservations: addresses, serviceCidrs, random })
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
  const holder = { namespace: metadata.namespace ?? '', name: metadata.name ?? '' }
  return [
    ...differences(allocation.addresses, holder, clusterIpsOf(before), clusterIpsOf(service)),
    ...differences(allocation.ports, holder, texts(nodePortsOf(before)), texts(nodePortsOf(service))),
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
  service.spec = canonical(builtin.type('core/v1.ServiceSpec'), service.spec) as Draft<Service>['spec']
}

function texts(ports: ReadonlySet<number>): ReadonlySet<string> {
  return new Set([...ports].map(String))
}

function differences(
  reservations: Reservations,
  holder: ReservationOwner,
  before: ReadonlySet<string>,
  after: ReadonlySet<string>,
): readonly ObjectChange[] {
  const taken = [...after].filter((name) => !before.has(name)).map((name) => reservations.reserve(name, holder))
  const given = [...before].filter((name) => !after.has(name)).flatMap((name) => reservations.release(name, holder))
  return [...taken, ...given]
}
