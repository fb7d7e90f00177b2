import { readdirSync, readFileSync } from 'node:fs'
import { type Clock, sleep } from '../../base/clock.js'

export interface RunningProcess {
  readonly pid: number
  readonly command: readonly string[]
}

/** Every process of this machine that can be seen from here. Dead ones that nobody has collected have no command. */
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
    return [] // it ended while we looked
  }
}

/** Asks processes to end, makes them end after `patience` milliseconds, and resolves when they are gone. */
export async function endProcesses(pids: readonly number[], clock: Clock, patience: number): Promise<void> {
  const until = clock.monotonic() + patience
  for (const pid of pids) signalProcess(pid, 'SIGTERM')
  while (pids.some(isAlive) && clock.monotonic() < until) await sleep(clock, 10)
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

/** A dead process that its parent has yet to collect is dead. */
function isAlive(pid: number): boolean {
  try {
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}
