import { createInterface } from 'node:readline/promises'
import { boolean, optionalText } from '../../base/flags/flag-types.js'
import { type FlagValues, UsageError } from '../../base/flags/flags.js'
import { findCluster, type LocalCluster } from '../cluster/cluster.js'
import { clusterFlags } from '../cluster/cluster-flags.js'
import { proaLine, withHints } from '../cluster/hints.js'
import { isDataDirectory } from '../cluster/inspection.js'
import { forgetCluster } from '../cluster/known-clusters.js'
import { defineCommand } from '../command.js'
import { type Deletion, deleteDataDirectory } from './deletion.js'
import { stopCluster } from './down.js'
import { clusterAuthorities, readLastUp } from './last-up.js'
import { type ContextOptions, removeContext } from './user-kubeconfig.js'

const resetFlags = {
  ...clusterFlags,
  yes: { ...boolean('Delete the cluster without asking.'), short: 'y' },
  kubeconfig: optionalText(
    'The kubeconfig to remove the context from. By default the one that "proa up" wrote it to. - leaves every kubeconfig as it is.',
    { placeholder: 'FILE' },
  ),
  help: { ...boolean('Show this help.'), short: 'h' },
}

type ResetFlags = FlagValues<typeof resetFlags>

export const resetCommand = defineCommand({
  name: 'reset',
  about: `Stop a cluster and delete all of it: objects, keys, images, and its context in your kubeconfig. Asks first.

Proa deletes only the files that it created. Other files in the data directory stay.

Usage:
  proa reset [flags]
`,
  flags: resetFlags,
  run,
})

async function run(flags: ResetFlags): Promise<void> {
  const cluster = findCluster(flags)
  const { name, dataDirectory } = cluster
  if (!isDataDirectory(dataDirectory)) {
    forgetCluster(cluster)
    return printLine(`There is no cluster ${name}: ${dataDirectory} does not exist or is empty.`)
  }
  if (!flags.yes && !(await confirm(cluster, flags))) return printLine('Nothing was changed.')
  const context = await contextOf(cluster, flags)
  await stopCluster(dataDirectory)
  const deletion = await deleteDataDirectory(cluster)
  if (context) await removeContext(context)
  forgetCluster(cluster)
  printLine(`Deleted the cluster ${name}.${leftOver(cluster, deletion)}`)
}

/** Finds the context of the cluster. Call it before the keys of the cluster are deleted. */
async function contextOf(cluster: LocalCluster, { kubeconfig }: ResetFlags): Promise<ContextOptions | undefined> {
  if (kubeconfig === '-') return undefined
  const { dataDirectory } = cluster
  const to = kubeconfig ?? readLastUp(dataDirectory).kubeconfig
  return { cluster, authorities: await clusterAuthorities(dataDirectory), to }
}

function leftOver({ dataDirectory }: LocalCluster, { remaining: kept, isDirectoryKept }: Deletion): string {
  if (kept.length > 0)
    return ` Proa did not create these files, and leaves them:\n${kept.map((path) => `  ${path}`).join('\n')}`
  return isDirectoryKept ? ` The empty directory ${dataDirectory} stays, because Proa did not create it.` : ''
}

/** Asks the user. Resolves with whether the cluster is to be deleted. */
async function confirm(cluster: LocalCluster, { kubeconfig }: ResetFlags): Promise<boolean> {
  const { name, dataDirectory } = cluster
  if (!process.stdin.isTTY) {
    const further = kubeconfig === undefined ? ['--yes'] : ['--kubeconfig', kubeconfig, '--yes']
    const hint = { purpose: 'delete it without confirmation', command: proaLine('reset', cluster, further) }
    throw new UsageError(withHints(`there is no terminal to ask whether to delete the cluster ${name}`, hint))
  }
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  try {
    const question = `Delete the cluster ${name} and all files of Proa in ${dataDirectory}? [y/N] `
    const answer = await terminal.question(question).catch((error: Error) => {
      if (error.name !== 'AbortError') throw error
      process.stdout.write('\n')
      return '' // Ctrl-C and Ctrl-D mean no
    })
    return /^y(es)?$/i.test(answer.trim())
  } finally {
    terminal.close()
  }
}

function printLine(line: string): void {
  process.stdout.write(`${line}\n`)
}
