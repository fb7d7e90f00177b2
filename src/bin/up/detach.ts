import { spawn } from 'node:child_process'
import { mkdirSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const ready = 'ready'

/**
 * Starts the same command again as a process of its own, and resolves when that says that everything runs: this one may end then.
 * Rejects with what the other one said if it ended before.
 */
export async function detach(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const log = join(folder, 'up.log')
  const output = openSync(log, 'w', 0o600)
  const args = process.argv.slice(1).filter((arg) => !/^(-d|--detach(=true)?)$/.test(arg))
  const child = spawn(process.execPath, [...process.execArgv, ...args], {
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
  process.stdout.write(readFileSync(log, 'utf8').replace(/\nCtrl-C stops it;.*\n/, '\n'))
  process.stdout.write(`It runs in the background as process ${child.pid}; its log is ${log}. proa down ends it.\n`)
}

/** If this process was started by `detach`, the one who did so may go. */
export function tellParent(): void {
  if (!process.send) return
  process.send(ready)
  process.disconnect()
}

function lastWords(log: string): string {
  const text = readFileSync(log, 'utf8').trimEnd()
  const last = text.slice(text.lastIndexOf('\n') + 1).replace(/^proa up: /, '')
  return last === '' ? `it ended without a word; look at ${log}` : last
}
