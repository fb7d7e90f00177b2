import { spawn } from 'node:child_process'
import { openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { argumentsWithout } from '../../base/flags/flags.js'
import { inDataDirectory } from '../cluster/claim.js'
import type { LocalCluster } from '../cluster/cluster.js'
import { proaLine, withHints } from '../cluster/hints.js'
import { upFlags } from './up-flags.js'

const ready = 'ready'

/**
 * Starts the same command as a background process, and resolves when the cluster runs there. Then this process may end. Rejects with the
 * error message of the background process if it ends before.
 */
export async function detach(cluster: LocalCluster, args: readonly string[]): Promise<void> {
  const { dataDirectory } = cluster
  const log = join(dataDirectory, 'up.log')
  const output = inDataDirectory(dataDirectory, () => openSync(log, 'w', 0o600))
  const attached = ['up', ...argumentsWithout(upFlags, args, ['detach'])]
  const child = spawn(process.execPath, [...process.execArgv, process.argv[1]!, ...attached], {
    detached: true,
    stdio: ['ignore', output, output, 'ipc'],
  })
  await new Promise<void>((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', () => reject(new Error(errorFromLog(log))))
    child.once('message', () => resolve())
  })
  child.removeAllListeners()
  child.disconnect()
  child.unref()
  process.stdout.write(readFileSync(log, 'utf8'))
  process.stdout.write(`${nextCommands(cluster, child.pid!, log)}\n`)
}

function nextCommands(cluster: LocalCluster, pid: number, log: string): string {
  return withHints(
    `\nThe cluster runs in the background as process ${pid}. Its log is ${log}.`,
    { purpose: 'show its state', command: proaLine('status', cluster) },
    { purpose: 'stop it and end its pods', command: proaLine('down', cluster) },
  )
}

/** Whether this process was started by `detach`. */
export function isDetached(): boolean {
  return process.send !== undefined
}

/** Tells the process that started this one with `detach` that the cluster runs. */
export function notifyParent(): void {
  if (!process.send) return
  process.send(ready)
  process.disconnect()
}

function errorFromLog(log: string): string {
  const text = readFileSync(log, 'utf8').trimEnd()
  if (text === '') return `the background process ended without an error message; its log is ${log}`
  const [, ...messages] = text.split(/^proa up: /m)
  return messages.at(-1) ?? text.slice(text.lastIndexOf('\n') + 1)
}
