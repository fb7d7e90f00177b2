import { findProgram, outputOf, runProgram } from '../base/programs.js'
import { isV6 } from './network-configuration.js'

/** Masquerading: traffic from pods that leaves the node gets the node's source address, because other hosts have no route to pods. */
export interface MasqueradeOptions {
  /** The bridge that pods are attached to. The table is named after it. */
  readonly bridge: string
  readonly ranges: readonly string[]
}

/**
 * Installs one rule for all pods of the node. The bridge plugin would call iptables several times per pod, one call at a time, and would
 * leave rules behind. Returns false if this machine has no nftables.
 */
export async function installMasquerade(masquerade: MasqueradeOptions): Promise<boolean> {
  const nft = findProgram('nft')
  if (!nft) return false
  const { code } = await runProgram({ program: nft, args: ['-f', '-'], input: masqueradeRules(masquerade) })
  return code === 0
}

export async function removeMasquerade(bridge: string): Promise<void> {
  const nft = findProgram('nft')
  if (nft) await outputOf({ program: nft, args: ['-f', '-'], input: tableRemoval(bridge) })
}

/** Replaces the earlier table in one transaction. */
export function masqueradeRules({ bridge, ranges }: MasqueradeOptions): string {
  const tables = families.map(({ family, multicast }) => {
    const rules = ranges
      .filter((range) => isV6(range) === (family === 'ip6'))
      .map((range) => `${family} saddr ${range} ${family} daddr != { ${range}, ${multicast} } masquerade`)
    if (rules.length === 0) return ''
    const hook = 'type nat hook postrouting priority srcnat; policy accept;'
    return `table ${family} ${masqueradeTableName(bridge)} {\n chain outgoing {\n  ${[hook, ...rules].join('\n  ')}\n }\n}\n`
  })
  return `${tableRemoval(bridge)}${tables.join('')}`
}

const families = [
  { family: 'ip', multicast: '224.0.0.0/4' },
  { family: 'ip6', multicast: 'ff00::/8' },
] as const

/** nft can delete only an existing table, so the table is added first. */
function tableRemoval(bridge: string): string {
  const table = masqueradeTableName(bridge)
  return families.map(({ family }) => `add table ${family} ${table}\ndelete table ${family} ${table}\n`).join('')
}

export function masqueradeTableName(bridge: string): string {
  return `pods_${bridge.replace(/\W/g, '_')}`
}
