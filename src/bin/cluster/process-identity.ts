import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'

/** Identifies a process, so that a later process with the same ID is not mistaken for it. */
export interface ProcessIdentity {
  readonly pid: number
  /** Its start time, in the units of the system. */
  readonly begun: string
  /** The boot ID of the machine, if the system has one: `begun` may count from the boot. */
  readonly boot?: string
}

/** What the system reports about a process. */
export interface ObservedProcess {
  /** `Z` is a zombie: it has ended, and its parent has not reaped it. */
  readonly state: string
  readonly begun: string
}

export function identityOf(pid: number): ProcessIdentity {
  const boot = bootId()
  return { pid, begun: observe(pid)?.begun ?? '', ...(boot !== undefined && { boot }) }
}

/** Whether this process still runs. A zombie does not. */
export function isAlive({ pid, begun, boot }: ProcessIdentity): boolean {
  if (boot !== undefined && boot !== bootId()) return false
  const observed = observe(pid)
  return observed !== undefined && !/^[ZX]/i.test(observed.state) && observed.begun === begun
}

/** Returns undefined if there is no such process. */
function observe(pid: number): ObservedProcess | undefined {
  return existsSync('/proc/self/stat') ? observeByProc(pid) : observeByPs(pid)
}

/** Parses `4711 (node) S 1 …`. The name in parentheses may contain any character. */
function observeByProc(pid: number): ObservedProcess | undefined {
  const text = readIfThere(`/proc/${pid}/stat`)
  if (text === undefined) return undefined
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return { state: fields[0] ?? '', begun: fields[19] ?? '' }
}

/** For systems without /proc, such as macOS. */
export function observeByPs(pid: number): ObservedProcess | undefined {
  const env = { ...process.env, LC_ALL: 'C' }
  const { stdout, error } = spawnSync('ps', ['-o', 'stat=', '-o', 'lstart=', '-p', String(pid)], {
    encoding: 'utf8',
    env,
  })
  if (error) throw error
  const [, state, begun] = /^(\S+)\s+(.*\S)\s*$/.exec(stdout.trimStart()) ?? []
  return state === undefined || begun === undefined ? undefined : { state, begun }
}

function bootId(): string | undefined {
  return readIfThere('/proc/sys/kernel/random/boot_id')?.trim()
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ESRCH') return undefined
    throw error
  }
}
