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
 * Starts the same command again as a process of its own, and resolves when everything runs there: this process may end then. Rejects with
 * what the other one said if it ended before.
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
    child.once('exit', () => reject(new Error(lastWords(log))))
    child.once('message', () => resolve())
  })
  child.removeAllListeners()
  child.disconnect()
  child.unref()
  process.stdout.write(readFileSync(log, 'utf8'))
  process.stdout.write(`${afterwards(cluster, child.pid!, log)}\n`)
}

function afterwards(cluster: LocalCluster, pid: number, log: string): string {
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

/** The process that started this one by `detach` may end. */
export function notifyParent(): void {
  if (!process.send) return
  process.send(ready)
  process.disconnect()
}

function lastWords(log: string): string {
  const text = readFileSync(log, 'utf8').trimEnd()
  if (text === '') return `it ended without an error message; its log is ${log}`
  const [, ...complaints] = text.split(/^proa up: /m)
  return complaints.at(-1) ?? text.slice(text.lastIndexOf('\n') + 1)
}
