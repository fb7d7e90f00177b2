import { resolve } from 'node:path'
import { type Flag, type FlagValues, type ProcessVariables, parseFlags, UsageError } from '../../base/flags/flags.js'
import { dnsLabel } from '../../schema/names.js'
import { defaultName } from './data-directory.js'

/**
 * The flags that name the cluster of a command. An empty environment variable is an error: a script whose variable is empty by mistake must
 * not act on the default cluster.
 */
export const clusterFlags = {
  name: {
    help: 'The name of the cluster. It is also the name of its kubeconfig context and part of its data directory.',
    placeholder: 'NAME',
    defaultText: defaultName,
    variable: 'PROA_NAME',
    refusesEmpty: true,
    read: (texts: readonly string[]) => (texts.length === 0 ? undefined : checkedName(texts.at(-1)!)),
  } satisfies Flag<string | undefined>,
  'data-dir': {
    help: 'The directory that holds everything of the cluster. By default /var/lib/proa for root and ~/.local/share/proa for other users, followed by -NAME if the cluster has a name.',
    placeholder: 'DIRECTORY',
    defaultText: '',
    variable: 'PROA_DATA_DIR',
    refusesEmpty: true,
    read: (texts: readonly string[]) => (texts.length === 0 ? undefined : checkedDirectory(texts.at(-1)!)),
  } satisfies Flag<string | undefined>,
}

export type ClusterFlags = FlagValues<typeof clusterFlags>

/** Checks that the name is a DNS label. A name such as `../x` would lead out of the parent of the data directories. */
function checkedName(name: string): string {
  const problems = dnsLabel(name)
  if (problems.length > 0) throw new UsageError(problems.join('; '))
  return name
}

function checkedDirectory(path: string): string {
  if (path === '') throw new UsageError('it must name a directory')
  if (path.includes('\0')) throw new UsageError('it must not contain a null character')
  return resolve(path)
}

/** For commands that parse their arguments themselves: checks the given flags, and reads the variables for the others. */
export function readClusterFlags(
  given: { readonly name?: string | undefined; readonly 'data-dir'?: string | undefined },
  variables: ProcessVariables,
): ClusterFlags {
  const args = (['name', 'data-dir'] as const).flatMap((flag) => {
    const value = given[flag]
    return value === undefined ? [] : [`--${flag}=${value}`]
  })
  return parseFlags(clusterFlags, args, variables)
}
