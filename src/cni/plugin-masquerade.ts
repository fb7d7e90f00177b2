import { createHash } from 'node:crypto'
import { findProgram, outputOf } from '../base/programs.js'

/** The chain that the bridge plugin makes for each sandbox, in which its traffic to the world gets the node's address. */
export function masqueradeChain(network: string, containerId: string): string {
  return `CNI-${createHash('sha512').update(`${network}${containerId}`).digest('hex').slice(0, 24)}`
}

/**
 * Takes away the chains of sandboxes that are gone, where it is the plugin that makes them. The plugin does not, once the network namespace is gone that would tell it the
 * addresses. All at one stroke, so that nobody else's rules can come in between.
 */
export async function removePluginMasquerade(network: string, containerIds: readonly string[]): Promise<void> {
  const chains = new Set(containerIds.map((id) => masqueradeChain(network, id)))
  for (const family of ['iptables', 'ip6tables']) {
    const [save, restore] = [findProgram(`${family}-save`), findProgram(`${family}-restore`)]
    if (!save || !restore) continue
    const commands = removalOf(chains, await outputOf({ program: save, args: ['-t', 'nat'] }))
    if (commands.length === 0) continue
    const input = ['*nat', ...commands, 'COMMIT', ''].join('\n')
    await outputOf({ program: restore, args: ['--noflush', '--wait'], input })
  }
}

/** What takes these chains, and the rules that lead to them, out of a table as it was saved. */
export function removalOf(chains: ReadonlySet<string>, saved: string): readonly string[] {
  const lines = saved.split('\n')
  const there = [...chains].filter((chain) => lines.some((line) => line.startsWith(`:${chain} `)))
  const leading = lines.filter((line) => line.startsWith('-A ') && there.some((chain) => line.endsWith(`-j ${chain}`)))
  return [
    ...leading.map((line) => `-D ${line.slice('-A '.length)}`),
    ...there.flatMap((chain) => [`-F ${chain}`, `-X ${chain}`]),
  ]
}
