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
  /** In CIDR form, the cluster's own family first. */
  readonly ranges: readonly string[]
  readonly reservations: Reservations
  /** Further ranges, which people add while the cluster runs. */
  readonly serviceCidrs: ObjectCollection
  readonly random: Random
}

/** The addresses of services. */
export class ClusterIps {
  readonly #ranges: readonly AddressRange[]
  readonly #parts: ClusterIpDependencies

  constructor(parts: ClusterIpDependencies) {
    this.#parts = parts
    this.#ranges = parts.ranges.map((cidr) => new AddressRange(cidr))
  }

  get families(): readonly IPFamily[] {
    return this.#ranges.map(({ family }) => family)
  }

  /** Gives a service an address of each of its families, where it has none yet. `own` are those that are already its. */
  assign(service: Draft<Service>, own: ReadonlySet<string>, dryRun: boolean): void {
    const { spec } = service
    if (spec.clusterIPs?.[0] === noClusterIp) return
    const given = spec.clusterIPs ?? []
    const assigned = (spec.ipFamilies ?? []).map((family, i) => {
      const asked = given[i]
      if (!asked) return this.#anyOf(family, dryRun)
      if (!own.has(canonicalIp(asked))) this.#check(service, asked, dryRun)
      return asked
    })
    service.spec = { ...spec, clusterIP: assigned[0]!, clusterIPs: assigned }
  }

  #anyOf(family: IPFamily, dryRun: boolean): string {
    const ranges = this.#inUse().filter((range) => range.family === family)
    if (dryRun && ranges[0]) return ranges[0].base
    for (const range of ranges)
      for (const offset of allocationOrder(range, this.#parts.random)) {
        const address = range.at(offset)
        if (!this.#parts.reservations.isReserved(address)) return address
      }
    throw internalError('failed to allocate a serviceIP: range is full')
  }

  #check(service: Draft<Service>, asked: string, dryRun: boolean): void {
    const address = canonicalIp(asked)
    const range = this.#inUse().find((one) => one.contains(address))
    if (!range) throw refused(service, asked, dryRun ? this.#notInRange(address) : mismatched)
    if (!dryRun && this.#parts.reservations.isReserved(address))
      throw refused(service, asked, 'provided IP is already allocated')
  }

  #notInRange(address: string): string {
    return `the provided IP (${address}) is not in the valid range. The range of valid IPs is ${this.#ranges[0]!.text}`
  }

  /** The cluster's own, and those that were added and are not on their way out. */
  #inUse(): readonly AddressRange[] {
    const added = this.#parts.serviceCidrs.list(serviceCidrPrefix).flatMap(({ object }) => {
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

function refused({ metadata, spec }: Draft<Service>, asked: string, why: string): Error {
  const path = fieldPath('spec', 'clusterIPs')
  return invalid({ group: '', kind: 'Service' }, metadata.name ?? '', [
    field.invalid(path, spec.clusterIPs, `failed to allocate IP ${asked}: ${why}`),
  ])
}

/** As reservations are named. */
export function canonicalIp(text: string): string {
  const parsed = parseIp(text)
  return parsed ? ipText(parsed) : text
}

/** The addresses that a service holds. */
export function clusterIpsOf(service: Service | undefined): ReadonlySet<string> {
  const { type, clusterIP = '', clusterIPs = [clusterIP] } = service?.spec ?? {}
  const held = type === 'ExternalName' ? [] : clusterIPs.filter((address) => address !== '' && address !== noClusterIp)
  return new Set(held.map(canonicalIp))
}
