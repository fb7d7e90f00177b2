import { existsSync, rmSync } from 'node:fs'
import { createInterface } from 'node:readline/promises'
import { findCluster } from '../cluster/cluster.js'
import { clusterFlags } from '../cluster/flags.js'
import { command } from '../command.js'
import { optionalText, truth } from '../flag-types.js'
import { type FlagValues, UsageError } from '../flags.js'
import { endCluster } from './down.js'
import { removeContext } from './user-kubeconfig.js'

const resetFlags = {
  ...clusterFlags,
  yes: { ...truth('Does not ask.', false), short: 'y' },
  kubeconfig: optionalText('The file that the context is in; your own, unless told. - for none.', 'FILE'),
  help: { ...truth('Shows this text.', false), short: 'h' },
}

export const resetCommand = command({
  name: 'reset',
  about: `Ends a cluster and deletes all of it: objects, keys, images, and its context in your kubeconfig. Asks first.

Usage:
  proa reset [flags]
`,
  flags: resetFlags,
  run,
})

async function run({ kubeconfig, yes, ...flags }: FlagValues<typeof resetFlags>): Promise<void> {
  const { name, dataDirectory: folder } = findCluster(flags)
  if (!existsSync(folder)) return void process.stdout.write(`There is no cluster ${name}: ${folder} does not exist.\n`)
  if (!yes && !(await isSure(name, folder))) return void process.stdout.write('Nothing was changed.\n')
  await endCluster(folder)
  rmSync(folder, { recursive: true, force: true })
  if (kubeconfig !== '-') await removeContext({ name, to: kubeconfig })
  process.stdout.write(`The cluster ${name} is gone.\n`)
}

async function isSure(name: string, folder: string): Promise<boolean> {
  if (!process.stdin.isTTY)
    throw new UsageError('nobody is there to be asked whether everything may be deleted; say --yes if it may')
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  try {
    const answer = await terminal.question(`Delete the cluster ${name} and everything in ${folder}? [y/N] `)
    return /^y(es)?$/i.test(answer.trim())
  } finally {
    terminal.close()
  }
}
