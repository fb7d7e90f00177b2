import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'

/** Tells a process from a later one with the same number. */
export interface ProcessIdentity {
  readonly pid: number
  /** When it began, as the system measures it. */
  readonly begun: string
  /** In which life of the machine, where the system says so: `begun` may count from the start of the machine. */
  readonly boot?: string
}

/** What a system tells about a process. */
export interface Observed {
  /** `Z` is a zombie: it has ended, and its parent has not asked how. */
  readonly state: string
  readonly begun: string
}

export function identityOf(pid: number): ProcessIdentity {
  const boot = bootId()
  return { pid, begun: observe(pid)?.begun ?? '', ...(boot !== undefined && { boot }) }
}

/** Whether that very process still runs. One that ended and that nobody has reaped does not. */
export function isAlive({ pid, begun, boot }: ProcessIdentity): boolean {
  if (boot !== undefined && boot !== bootId()) return false
  const observed = observe(pid)
  return observed !== undefined && !/^[ZX]/i.test(observed.state) && observed.begun === begun
}

/** Undefined where there is no such process. */
function observe(pid: number): Observed | undefined {
  return existsSync('/proc/self/stat') ? observeByProc(pid) : observeByPs(pid)
}

/** `4711 (node) S 1 …`: what is in parentheses may hold anything. */
function observeByProc(pid: number): Observed | undefined {
  const text = readIfThere(`/proc/${pid}/stat`)
  if (text === undefined) return undefined
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return { state: fields[0] ?? '', begun: fields[19] ?? '' }
}

/** For systems without /proc, such as macOS. */
export function observeByPs(pid: number): Observed | undefined {
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
