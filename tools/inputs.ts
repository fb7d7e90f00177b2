import { closeSync, openSync, readFileSync, readSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { hashLength } from '../src/bin/process/code-cache.js'

/** All files and folders that a script was built from, with the modification time and size of each. */
export interface Inputs {
  /** The hash in the first line of the script. */
  readonly hash: string
  readonly files: Readonly<Record<string, readonly [modified: number, size: number]>>
}

/** The coarsest resolution of file time stamps that we know of, in milliseconds, with some reserve. */
const timestampStep = 20

/** The file that records the inputs of a script. */
export function inputsFile(root: string, script: string): string {
  return join(root, 'dist', 'inputs', `${script}.json`)
}

export function scriptFile(root: string, script: string): string {
  return join(root, 'dist', 'bundle', 'bin', `${script}.script`)
}

/**
 * Describes files for a build that began to read them at `begun`. A file that was modified after that may have been read before or after the
 * change, so it gets a time that never matches, and the next check builds again.
 */
export function describeFiles(root: string, paths: Iterable<string>, begun: number): Inputs['files'] {
  const ended = Date.now()
  const isRecent = (modified: number) => modified > begun - timestampStep && modified < ended + timestampStep
  const described = Array.from(paths, (path) => {
    const { mtimeMs, size } = statSync(join(root, path))
    return [path, [isRecent(mtimeMs) ? -1 : mtimeMs, size]] as const
  })
  return Object.fromEntries(described)
}

/** Whether a script was built from the current sources. Also detects a file that was replaced by an older one. */
export function isFresh(root: string, script: string): boolean {
  const inputs = readInputs(root, script)
  // Two simultaneous builds may leave the script of one and the inputs of the other.
  if (!inputs || inputs.hash !== hashOf(scriptFile(root, script))) return false
  for (const path in inputs.files) {
    const found = statSync(`${root}/${path}`, { throwIfNoEntry: false })
    const [modified, size] = inputs.files[path]!
    if (found?.mtimeMs !== modified || found.size !== size) return false
  }
  return true
}

function readInputs(root: string, script: string): Inputs | undefined {
  return unlessAbsent(() => JSON.parse(readFileSync(inputsFile(root, script), 'utf8')) as Inputs)
}

/** Reads the hash in the first line of a script. */
export function hashOf(script: string): string | undefined {
  return unlessAbsent(() => {
    const file = openSync(script, 'r')
    const start = Buffer.alloc(2 + hashLength)
    readSync(file, start)
    closeSync(file)
    return start.toString('latin1', 2)
  })
}

function unlessAbsent<Result>(read: () => Result): Result | undefined {
  try {
    return read()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
