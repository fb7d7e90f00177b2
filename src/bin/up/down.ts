import { sleep, systemClock } from '../../base/clock.js'
import { findCluster } from '../cluster/cluster.js'
import { clusterFlags } from '../cluster/flags.js'
import { command } from '../command.js'
import { truth } from '../flag-types.js'
import type { FlagValues } from '../flags.js'
import { surroundings } from '../surroundings.js'
import { type ClusterRecord, isRunning, readRecord } from './cluster-record.js'
import { endContainers } from './nodes.js'

const downFlags = {
  ...clusterFlags,
  help: { ...truth('Shows this text.', false), short: 'h' },
}

export const downCommand = command({
  name: 'down',
  about: `Ends a cluster and its pods on this machine. Its data stays: proa up starts it again.

Usage:
  proa down [flags]
`,
  flags: downFlags,
  run: async (flags: FlagValues<typeof downFlags>) => {
    const { name, dataDirectory } = findCluster(flags)
    process.stdout.write(`${(await endCluster(dataDirectory)) ? 'Ended' : 'Nothing ran of'} the cluster ${name}.\n`)
  },
})

/** Whether anything ran. */
export async function endCluster(folder: string): Promise<boolean> {
  const record = readRecord(folder)
  if (record) await endProcess(record)
  const hadContainers = await endContainers(folder, surroundings(0, 'warn'))
  return record !== undefined || hadContainers
}

const patience = 30_000

async function endProcess(record: ClusterRecord): Promise<void> {
  process.kill(record.pid, 'SIGTERM')
  const until = systemClock.monotonic() + patience
  while (isRunning(record)) {
    if (systemClock.monotonic() > until)
      throw new Error(`process ${record.pid} does not end; look at what it does, or end it with kill -9 ${record.pid}`)
    await sleep(systemClock, 20)
  }
}
