import { readdirSync, readFileSync } from 'node:fs'
import { type Clock, sleep } from '../../base/clock.js'

export interface RunningProcess {
  readonly pid: number
  readonly command: readonly string[]
}

/** Returns all visible processes. Zombies are omitted, because they have no command. */
export function runningProcesses(): RunningProcess[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      const command = commandOf(name)
      return command.length > 0 ? [{ pid: Number(name), command }] : []
    })
}

function commandOf(pid: string): string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').slice(0, -1)
  } catch {
    return [] // the process has exited meanwhile
  }
}

/** Sends SIGTERM, then SIGKILL after `grace` milliseconds. Resolves when all processes have exited. */
export async function endProcesses(pids: readonly number[], clock: Clock, grace: number): Promise<void> {
  const deadline = clock.monotonic() + grace
  for (const pid of pids) signalProcess(pid, 'SIGTERM')
  while (pids.some(isAlive) && clock.monotonic() < deadline) await sleep(clock, 10)
  for (const pid of pids) signalProcess(pid, 'SIGKILL')
  while (pids.some(isAlive)) await sleep(clock, 10)
}

export function signalProcess(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

/** A zombie counts as dead. */
function isAlive(pid: number): boolean {
  try {
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}
