import { systemClock } from '../../base/clock.js'
import { checkDataDirectory, claimDataDirectory, inDataDirectory } from '../cluster/claim.js'
import { findCluster, type LocalCluster } from '../cluster/cluster.js'
import { holdDataDirectory } from '../cluster/directory-hold.js'
import { kubectlLine, proaLine, withHints } from '../cluster/hints.js'
import { rememberCluster } from '../cluster/known-clusters.js'
import { readRecord, removeRecord, writeRecord } from '../cluster/record.js'
import { defineCommand } from '../command.js'
import { untilStopped } from '../process/signals.js'
import { detach, isDetached, notifyParent } from './detach.js'
import { clusterAuthorities, repeatableArguments, startHint, writeLastUp } from './last-up.js'
import { Progress } from './progress.js'
import { type RunningCluster, startLocalCluster } from './running-cluster.js'
import { type UpFlags, upFlags } from './up-flags.js'
import { addContext, rejectForeignContext } from './user-kubeconfig.js'

export const upCommand = defineCommand({
  name: 'up',
  about: `Run a whole cluster in one process: the store, the API server, the control loops, the scheduler, and this machine as a node.

Usage:
  proa up [flags]
`,
  flags: upFlags,
  run,
})

async function run(flags: UpFlags, args: readonly string[]): Promise<void> {
  const cluster = findCluster(flags)
  requireStopped(cluster)
  checkDataDirectory(cluster)
  await checkContext(flags, cluster)
  claimDataDirectory(cluster)
  if (flags.detach) return detach(cluster, args)
  const hold = await holdDataDirectory(cluster)
  try {
    await runLocked(flags, cluster, repeatableArguments(args, flags))
  } finally {
    await hold.release()
  }
}

function requireStopped(cluster: LocalCluster): void {
  const running = readRecord(cluster.dataDirectory)
  if (!running) return
  throw new Error(
    withHints(
      `the cluster ${cluster.name} already runs, as process ${running.pid}`,
      { purpose: 'show its state', command: proaLine('status', cluster) },
      { purpose: 'stop it and end its pods', command: proaLine('down', cluster) },
    ),
  )
}

/** Checks before anything starts that the user's kubeconfig has no context of another program with the cluster's name. */
async function checkContext({ kubeconfig: to }: UpFlags, cluster: LocalCluster): Promise<void> {
  if (to === '-') return
  await rejectForeignContext({ cluster, authorities: await clusterAuthorities(cluster.dataDirectory), to })
}

/** Records this process before the cluster starts, so that other commands find it while it starts. */
async function runLocked(flags: UpFlags, cluster: LocalCluster, args: readonly string[]): Promise<void> {
  const { dataDirectory } = cluster
  const progress = new Progress()
  inDataDirectory(dataDirectory, () => {
    writeRecord(dataDirectory, { nodes: [] })
    writeLastUp(dataDirectory, { arguments: args })
  })
  try {
    const running = await startLocalCluster({ flags, cluster, progress, begun: systemClock.monotonic() })
    try {
      const stopped = untilStopped() // before the hint about Ctrl-C is printed
      await announce(running, { flags, cluster, progress, args })
      notifyParent()
      await stopped
      progress.print('\nStopping …')
    } finally {
      await running.close()
    }
  } finally {
    removeRecord(dataDirectory)
  }
}

interface Announcement {
  readonly flags: UpFlags
  readonly cluster: LocalCluster
  readonly progress: Progress
  readonly args: readonly string[]
}

/** Records for other commands that the cluster runs, and prints the next steps for the user. */
async function announce(running: RunningCluster, { flags, cluster, progress, args }: Announcement): Promise<void> {
  const { url, kubeconfig, nodes } = running
  const { dataDirectory } = cluster
  writeRecord(dataDirectory, { url, kubeconfig, nodes })
  remember(cluster, progress)
  const written = kubeconfig === undefined ? undefined : await writeContext(kubeconfig, flags, cluster)
  if (written !== undefined) progress.report('kubeconfig', `${written}, context ${cluster.name} (now the current one)`)
  else if (kubeconfig !== undefined) progress.report('kubeconfig', kubeconfig)
  writeLastUp(dataDirectory, { arguments: args, kubeconfig: written })
  progress.print(nextSteps(cluster, running, written ?? kubeconfig))
  running.fetchHello()
}

/** Resolves with the kubeconfig that the context was written to, or with undefined for `--kubeconfig -`. */
async function writeContext(
  from: string,
  { kubeconfig: to }: UpFlags,
  cluster: LocalCluster,
): Promise<string | undefined> {
  if (to === '-') return undefined
  return addContext({ cluster, authorities: await clusterAuthorities(cluster.dataDirectory), from, to })
}

/** A cluster that cannot be added to the known clusters still runs. */
function remember(cluster: LocalCluster, progress: Progress): void {
  try {
    rememberCluster(cluster)
  } catch (error) {
    progress.report('note', `"proa list" will not show this cluster: ${(error as Error).message}`)
  }
}

function nextSteps(cluster: LocalCluster, running: RunningCluster, kubeconfig: string | undefined): string {
  const lines = kubeconfig === undefined ? [] : firstCommands(cluster, running, kubeconfig)
  const commands = lines.length === 0 ? '' : `\nNow type:\n${lines.map((line) => `  ${line}\n`).join('')}`
  return isDetached() ? commands.trimEnd() : `${commands}\n${ending(cluster)}`
}

function firstCommands(
  cluster: LocalCluster,
  { canRunPods, needsHelloImage }: RunningCluster,
  kubeconfig: string,
): readonly string[] {
  return [
    ...(needsHelloImage ? [proaLine('image', cluster, ['hello'])] : []),
    ...(canRunPods ? [kubectlLine(kubeconfig, 'create deployment hello --image=proa/hello:1 --replicas=3')] : []),
    kubectlLine(kubeconfig, 'get pods --all-namespaces --watch'),
  ]
}

function ending(cluster: LocalCluster): string {
  return withHints('Ctrl-C stops the cluster. Its pods keep running.', startHint('start it again', cluster), {
    purpose: 'stop it and end its pods',
    command: proaLine('down', cluster),
  })
}
