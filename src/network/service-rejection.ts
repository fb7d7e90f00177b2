import { type Cidr, cidrText, networkOf, parseCidr, sameAddress } from '../schema/values/ip-address.js'
import { type Nftables, type NftablesTable, tableName, tableRemoval, tableReplacement } from './nftables.js'

/** Rejects traffic to service addresses without a proxy, so that it never leaves the machine by the default route. */
export interface ServiceRejection {
  /** Identifies the cluster on this machine: the name of its bridge. */
  readonly cluster: string
  /** The service CIDRs, at most one per family. */
  readonly ranges: readonly string[]
  /** The networks of this machine. Their hosts stay reachable, even if a service CIDR overlaps them. */
  readonly networks: readonly string[]
}

/** Installs the rules; replaces those of an earlier start. */
export function rejectUnserved(nftables: Nftables, rejection: ServiceRejection): Promise<void> {
  return nftables.apply(rejectionRules(rejection))
}

/** Removes the rules, if there are any. */
export function stopRejecting(nftables: Nftables, cluster: string): Promise<void> {
  return nftables.apply(tableRemoval(tableOf(cluster)))
}

/**
 * One table with two base chains: `output` for traffic of this machine, `forward` for traffic of its pods. Both run after destination NAT
 * (priority `dstnat`), so that traffic to a service that a proxy serves has another destination by then.
 */
export function rejectionRules({ cluster, ranges, networks }: ServiceRejection): string {
  const chains = [
    chain(
      'unserved',
      ranges.flatMap((range) => rulesFor(range, networks)),
    ),
    chain('output', ['type filter hook output priority filter; policy accept;', 'oifname "lo" return', ...toUnserved]),
    chain('forward', ['type filter hook forward priority filter; policy accept;', ...toUnserved]),
  ]
  return tableReplacement(tableOf(cluster), chains.join(''))
}

/** Replies pass: the address of a client may be within a service CIDR. */
const toUnserved = ['ct direction reply return', 'jump unserved']

/** A reset for TCP, because the kernel limits the rate of ICMP messages, and a client that gets none waits for its timeout. */
function rulesFor(range: string, networks: readonly string[]): readonly string[] {
  const to = (network: string) => `${isV6(network) ? 'ip6' : 'ip'} daddr ${network}`
  return [
    ...overlapping(range, networks).map((network) => `${to(network)} return`),
    `${to(range)} meta l4proto tcp reject with tcp reset`,
    `${to(range)} reject with icmpx type port-unreachable`,
  ]
}

function chain(name: string, rules: readonly string[]): string {
  return ` chain ${name} {\n${rules.map((rule) => `  ${rule}\n`).join('')} }\n`
}

function tableOf(cluster: string): NftablesTable {
  return { family: 'inet', name: tableName('services', cluster) }
}

/** Returns the networks that overlap a range, in canonical form. */
export function overlapping(range: string, networks: readonly string[]): readonly string[] {
  const parsed = parseCidr(range)
  const others = networks.flatMap((network) => parseCidr(network) ?? [])
  return parsed
    ? others.filter((other) => haveCommon(parsed, other)).map((other) => cidrText(networkOf(other), other))
    : []
}

function haveCommon(left: Cidr, right: Cidr): boolean {
  const prefixLength = Math.min(left.prefixLength, right.prefixLength)
  return sameAddress(networkOf({ ...left, prefixLength }), networkOf({ ...right, prefixLength }))
}

function isV6(range: string): boolean {
  return range.includes(':')
}
