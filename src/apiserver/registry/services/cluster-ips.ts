import { noClusterIp } from '../../../api/core/v1/service/types.js'
import type { IPFamily, Service } from '../../../api/core/v1/service.js'
import { internalError, invalid } from '../../../api/errors.js'
import type { ServiceCIDR } from '../../../api/networking/v1/service-cidr.js'
import type { Random } from '../../../base/random.js'
import * as field from '../../../schema/field-errors.js'
import { fieldPath } from '../../../schema/field-path.js'
import type { Draft } from '../../../schema/infer.js'
import { ipText, parseIp } from '../../../schema/values/ip-address.js'
import type { ObjectCollection } from '../../cache/object-store.js'
import { AddressRange, allocationOrder } from './address-range.js'
import type { Reservations } from './reservations.js'

export interface ClusterIpDependencies {
  /** CIDRs, the primary family of the cluster first. */
  readonly ranges: readonly string[]
  readonly reservations: Reservations
  /** `ServiceCIDR` objects: ranges that users add at run time. */
  readonly serviceCidrs: ObjectCollection
  readonly random: Random
}

/** Allocates cluster IPs. */
export class ClusterIps {
  readonly #ranges: readonly AddressRange[]
  readonly #dependencies: ClusterIpDependencies

  constructor(dependencies: ClusterIpDependencies) {
    this.#dependencies = dependencies
    this.#ranges = dependencies.ranges.map((cidr) => new AddressRange(cidr))
  }

  get families(): readonly IPFamily[] {
    return this.#ranges.map(({ family }) => family)
  }

  /** Assigns an address of each family to a service that has none. `own` are the addresses that it already has. */
  assign(service: Draft<Service>, own: ReadonlySet<string>, dryRun: boolean): void {
    const { spec } = service
    if (spec.clusterIPs?.[0] === noClusterIp) return
    const given = spec.clusterIPs ?? []
    const assigned = (spec.ipFamilies ?? []).map((family, i) => {
      const requested = given[i]
      if (!requested) return this.#anyOf(family, dryRun)
      if (!own.has(canonicalIp(requested))) this.#check(service, requested, dryRun)
      return requested
    })
    service.spec = { ...spec, clusterIP: assigned[0]!, clusterIPs: assigned }
  }

  #anyOf(family: IPFamily, dryRun: boolean): string {
    const ranges = this.#usableRanges().filter((range) => range.family === family)
    if (dryRun && ranges[0]) return ranges[0].base
    for (const range of ranges)
      for (const offset of allocationOrder(range, this.#dependencies.random)) {
        const address = range.at(offset)
        if (!this.#dependencies.reservations.isReserved(address)) return address
      }
    throw internalError('failed to allocate a serviceIP: range is full')
  }

  #check(service: Draft<Service>, requested: string, dryRun: boolean): void {
    const address = canonicalIp(requested)
    const range = this.#usableRanges().find((one) => one.contains(address))
    if (!range) throw allocationError(service, requested, dryRun ? this.#notInRange(address) : mismatched)
    if (!dryRun && this.#dependencies.reservations.isReserved(address))
      throw allocationError(service, requested, 'provided IP is already allocated')
  }

  #notInRange(address: string): string {
    return `the provided IP (${address}) is not in the valid range. The range of valid IPs is ${this.#ranges[0]!.text}`
  }

  /** The configured ranges, and the ready `ServiceCIDR` objects that are not being deleted. */
  #usableRanges(): readonly AddressRange[] {
    const added = this.#dependencies.serviceCidrs.list(serviceCidrPrefix).flatMap(({ object }) => {
      const { metadata, spec, status } = object as ServiceCIDR
      const ready = status?.conditions?.find(({ type }) => type === 'Ready')?.status ?? 'True'
      return metadata.deletionTimestamp === undefined && ready === 'True' ? (spec.cidrs ?? []) : []
    })
    const known = new Set(this.#ranges.map(({ text }) => text))
    return [...this.#ranges, ...added.filter((cidr) => !known.has(cidr)).map((cidr) => new AddressRange(cidr))]
  }
}

export const serviceCidrPrefix = '/registry/servicecidrs/'

const mismatched = 'the provided network does not match the current range'

function allocationError({ metadata, spec }: Draft<Service>, requested: string, why: string): Error {
  const path = fieldPath('spec', 'clusterIPs')
  return invalid({ group: '', kind: 'Service' }, metadata.name ?? '', [
    field.invalid(path, spec.clusterIPs, `failed to allocate IP ${requested}: ${why}`),
  ])
}

/** The canonical text of an address, by which it is reserved. */
export function canonicalIp(text: string): string {
  const parsed = parseIp(text)
  return parsed ? ipText(parsed) : text
}

/** The cluster IPs of a service. */
export function clusterIpsOf(service: Service | undefined): ReadonlySet<string> {
  const { type, clusterIP = '', clusterIPs = [clusterIP] } = service?.spec ?? {}
  const addresses =
    type === 'ExternalName' ? [] : clusterIPs.filter((address) => address !== '' && address !== noClusterIp)
  return new Set(addresses.map(canonicalIp))
}
