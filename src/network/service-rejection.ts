import { type Cidr, cidrText, networkOf, parseCidr, sameAddress } from '../schema/values/ip-address.js'
import { type Nftables, removal, replacement, type Table, tableName } from './nftables.js'

/** Rejects what is sent to service addresses that nothing serves, so that it never leaves the machine by the default route. */
export interface ServiceRejection {
  /** What tells clusters of one machine apart: the name of the bridge. */
  readonly cluster: string
  /** The ranges of service addresses, at most one of each family. */
  readonly ranges: readonly string[]
  /** Networks that this machine is on. Their hosts stay reachable, even where a range of services covers them. */
  readonly networks: readonly string[]
}

/** Replaces the rules of an earlier start. */
export function rejectUnserved(nftables: Nftables, rejection: ServiceRejection): Promise<void> {
  return nftables.apply(rejectionRules(rejection))
}

/** Leaves no rule behind, whether or not there were any. */
export function stopRejecting(nftables: Nftables, cluster: string): Promise<void> {
  return nftables.apply(removal(tableOf(cluster)))
}

/**
 * One table with two base chains: `output` for what this machine sends, `forward` for what its pods send. Both come after every
 * translation of destinations (priority `dstnat`), so that traffic to a service that somebody does serve has another destination by then.
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
  return replacement(tableOf(cluster), chains.join(''))
}

/** Replies are let through: a client of this machine may have an address that looks like one of a service. */
const toUnserved = ['ct direction reply return', 'jump unserved']

/** A reset for TCP, because the kernel limits how many ICMP messages it sends a second, and a client without one waits. */
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

function tableOf(cluster: string): Table {
  return { family: 'inet', name: tableName('services', cluster) }
}

/** Those networks that have addresses in common with a range, in canonical form. */
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
