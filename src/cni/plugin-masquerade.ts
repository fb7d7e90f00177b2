import { createHash } from 'node:crypto'
import { findProgram, outputOf } from '../base/programs.js'

/** The name of the iptables chain that the bridge plugin creates per sandbox to masquerade its traffic. */
export function masqueradeChain(network: string, containerId: string): string {
  return `CNI-${createHash('sha512').update(`${network}${containerId}`).digest('hex').slice(0, 24)}`
}

/**
 * Removes the chains of deleted sandboxes, if the plugin created them. The plugin itself does not, because it reads the addresses from the
 * network namespace, which is gone. One transaction, so that no other program changes the table in between.
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

/** Returns the commands that remove these chains, and the rules that jump to them, from a saved table. */
export function removalOf(chains: ReadonlySet<string>, saved: string): readonly string[] {
  const lines = saved.split('\n')
  const there = [...chains].filter((chain) => lines.some((line) => line.startsWith(`:${chain} `)))
  const leading = lines.filter((line) => line.startsWith('-A ') && there.some((chain) => line.endsWith(`-j ${chain}`)))
  return [
    ...leading.map((line) => `-D ${line.slice('-A '.length)}`),
    ...there.flatMap((chain) => [`-F ${chain}`, `-X ${chain}`]),
  ]
}
