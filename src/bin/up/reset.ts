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
import { endCluster } from './down.js'
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

Only what Proa made is deleted. Other files in the data directory stay.

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
    return say(`There is no cluster ${name}: ${dataDirectory} does not exist or is empty.`)
  }
  if (!flags.yes && !(await isSure(cluster, flags))) return say('Nothing was changed.')
  const context = await contextOf(cluster, flags)
  await endCluster(dataDirectory)
  const deletion = await deleteDataDirectory(cluster)
  if (context) await removeContext(context)
  forgetCluster(cluster)
  say(`The cluster ${name} is gone.${leftOver(cluster, deletion)}`)
}

/** Where its context is; to be asked while the cluster's keys are still there. */
async function contextOf(cluster: LocalCluster, { kubeconfig }: ResetFlags): Promise<ContextOptions | undefined> {
  if (kubeconfig === '-') return undefined
  const { dataDirectory } = cluster
  const to = kubeconfig ?? readLastUp(dataDirectory).kubeconfig
  return { cluster, authorities: await clusterAuthorities(dataDirectory), to }
}

function leftOver({ dataDirectory }: LocalCluster, { kept, isDirectoryKept }: Deletion): string {
  if (kept.length > 0) return ` These are not Proa's, and stay:\n${kept.map((path) => `  ${path}`).join('\n')}`
  return isDirectoryKept ? ` The directory ${dataDirectory} stays, empty: Proa did not make it.` : ''
}

async function isSure(cluster: LocalCluster, { kubeconfig }: ResetFlags): Promise<boolean> {
  const { name, dataDirectory } = cluster
  if (!process.stdin.isTTY) {
    const further = kubeconfig === undefined ? ['--yes'] : ['--kubeconfig', kubeconfig, '--yes']
    const hint = { purpose: 'delete it without a question', command: proaLine('reset', cluster, further) }
    throw new UsageError(withHints(`there is no terminal to ask whether to delete the cluster ${name}`, hint))
  }
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  try {
    const question = `Delete the cluster ${name} and all that Proa has in ${dataDirectory}? [y/N] `
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

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
