import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { catalogue } from '../../kubectl/catalogue.js'
import type { Catalogue } from '../../kubectl/command.js'
import { globalFlags } from '../../kubectl/global-flags.js'

/** Names of flags by command, `rollout status`; those that every command takes under ''. */
type Flags = ReadonlyMap<string, ReadonlySet<string>>

/**
 * What kubectl v1.36 has and ours lacks: `certificate` for a command with all of its subcommands, `diff --prune --show-secrets` for flags of
 * a command, `--kuberc` for flags that every command takes. Flags that upstream hides from its help do not count.
 */
export async function kubectlGap(repository: string): Promise<readonly string[]> {
  const ours = await ourFlags()
  const gap: string[] = []
  for (const [command, flags] of upstreamFlags(repository)) {
    const own = ours.get(command)
    const parent = command.slice(0, Math.max(command.lastIndexOf(' '), 0))
    const lacking = own ? [...flags].filter((flag) => !own.has(flag)) : []
    if (!own && ours.has(parent)) gap.push(command)
    if (lacking.length > 0) gap.push([command, ...lacking.map((flag) => `--${flag}`)].join(' ').trim())
  }
  return gap
}

function upstreamFlags(repository: string): Flags {
  const text = readFileSync(join(repository, 'src/testing/readme/kubectl-v1.36.json'), 'utf8')
  const commands = Object.entries(JSON.parse(text) as Readonly<Record<string, string>>)
  return new Map(commands.map(([command, flags]) => [command, new Set(flags.split(' ').filter(Boolean))]))
}

async function ourFlags(): Promise<Flags> {
  const found = new Map([['', new Set(Object.keys(globalFlags))]])
  const visit = async (entries: Catalogue, path: readonly string[]): Promise<void> => {
    for (const [name, { load }] of Object.entries(entries)) {
      const { flags, subcommands } = await load()
      found.set([...path, name].join(' '), new Set(Object.keys(flags)))
      await visit(subcommands, [...path, name])
    }
  }
  await visit(catalogue, [])
  return found
}
