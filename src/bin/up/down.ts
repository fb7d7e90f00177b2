import { sleep, systemClock } from '../../base/clock.js'
import { boolean } from '../../base/flags/flag-types.js'
import type { FlagValues } from '../../base/flags/flags.js'
import { findCluster, type LocalCluster } from '../cluster/cluster.js'
import { clusterFlags } from '../cluster/cluster-flags.js'
import { proaLine, withHints } from '../cluster/hints.js'
import { isDataDirectory } from '../cluster/inspection.js'
import { isAlive } from '../cluster/process-identity.js'
import { type ClusterRecord, readRecord } from '../cluster/record.js'
import { defineCommand } from '../command.js'
import { commandEnvironment } from '../process/command-environment.js'
import { startHint } from './last-up.js'
import { stopContainers } from './nodes.js'

const downFlags = {
  ...clusterFlags,
  help: { ...boolean('Show this help.'), short: 'h' },
}

export const downCommand = defineCommand({
  name: 'down',
  about: `Stop a cluster and end its pods on this machine. Its data stays, and "proa up" starts it again.

Usage:
  proa down [flags]
`,
  flags: downFlags,
  run: async (flags: FlagValues<typeof downFlags>) => void process.stdout.write(`${await end(findCluster(flags))}\n`),
})

async function end(cluster: LocalCluster): Promise<string> {
  const { name, dataDirectory } = cluster
  if (!isDataDirectory(dataDirectory))
    return `There is no cluster ${name}: ${dataDirectory} does not exist or is empty.`
  const hasRun = await stopCluster(dataDirectory)
  const sentence = hasRun ? `Stopped the cluster ${name} and ended its pods.` : `The cluster ${name} did not run.`
  return withHints(`${sentence} Its data is in ${dataDirectory}.`, startHint('start it again', cluster), {
    purpose: 'delete it',
    command: proaLine('reset', cluster),
  })
}

/** Stops the process and the containers of a cluster. Resolves with whether any of them ran. */
export async function stopCluster(dataDirectory: string): Promise<boolean> {
  const record = readRecord(dataDirectory)
  if (record) await endProcess(record)
  const hadContainers = await stopContainers(dataDirectory, commandEnvironment(0, 'warn'))
  return record !== undefined || hadContainers
}

/** Milliseconds to wait for the process after SIGTERM. */
const stopTimeout = 30_000

async function endProcess(record: ClusterRecord): Promise<void> {
  process.kill(record.pid, 'SIGTERM')
  const until = systemClock.monotonic() + stopTimeout
  while (isAlive(record)) {
    if (systemClock.monotonic() > until)
      throw new Error(
        withHints(`process ${record.pid} does not end`, { purpose: 'kill it', command: `kill -9 ${record.pid}` }),
      )
    await sleep(systemClock, 20)
  }
}
