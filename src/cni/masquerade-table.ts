import { findProgram, outputOf, runProgram } from '../base/programs.js'
import { isV6 } from './network-configuration.js'

/** Traffic of pods that leaves the node gets the node's address: the world does not know theirs. */
export interface Masquerade {
  /** The interface that pods are plugged into: the table is named after it. */
  readonly bridge: string
  readonly ranges: readonly string[]
}

/**
 * Tells the packet filter, once for all pods of the node. The bridge plugin would do it for each of them, with many calls of iptables that
 * wait for each other, and would leave rules behind. False if this machine has no nftables.
 */
export async function placeMasquerade(masquerade: Masquerade): Promise<boolean> {
  const nft = findProgram('nft')
  if (!nft) return false
  const { code } = await runProgram({ program: nft, args: ['-f', '-'], input: masqueradeRules(masquerade) })
  return code === 0
}

export async function removeMasquerade(bridge: string): Promise<void> {
  const nft = findProgram('nft')
  if (nft) await outputOf({ program: nft, args: ['-f', '-'], input: removal(bridge) })
}

/** Replaces what was there before at one stroke. */
export function masqueradeRules({ bridge, ranges }: Masquerade): string {
  const tables = families.map(({ family, multicast }) => {
    const rules = ranges
      .filter((range) => isV6(range) === (family === 'ip6'))
      .map((range) => `${family} saddr ${range} ${family} daddr != { ${range}, ${multicast} } masquerade`)
    if (rules.length === 0) return ''
    const hook = 'type nat hook postrouting priority srcnat; policy accept;'
    return `table ${family} ${tableName(bridge)} {\n chain outgoing {\n  ${[hook, ...rules].join('\n  ')}\n }\n}\n`
  })
  return `${removal(bridge)}${tables.join('')}`
}

const families = [
  { family: 'ip', multicast: '224.0.0.0/4' },
  { family: 'ip6', multicast: 'ff00::/8' },
] as const

/** What is to be deleted must be there: so it is made first. */
function removal(bridge: string): string {
  const table = tableName(bridge)
  return families.map(({ family }) => `add table ${family} ${table}\ndelete table ${family} ${table}\n`).join('')
}

export function tableName(bridge: string): string {
  return `pods_${bridge.replace(/\W/g, '_')}`
}
