import { randomUUID } from 'node:crypto'
import { promises as disk, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, dirname } from 'node:path'
import { isatty } from 'node:tty'
import { whenAborted } from '../base/abort.js'

/** The machine that a client runs on, as far as finding and proving oneself to a server needs it. Handed in, so that tests can make one up. */
export interface HostAccess {
  readonly variables: Readonly<Record<string, string | undefined>>
  readonly home: string
  /** Against which relative paths on the command line are meant. */
  readonly workingDirectory: string
  /** What stands between the paths of a list: `:`, or `;` on Windows. */
  readonly pathDelimiter: string
  /** Whether somebody sits at standard input. */
  readonly isTerminal: boolean
  readonly files: Files
  readonly run: RunProgram
}

/** Paths are absolute. A file that is not there is an error with the code `ENOENT`. */
export interface Files {
  read(path: string): Promise<string>
  exists(path: string): Promise<boolean>
  /** The file is there whole or not at all, for its owner only; the folders above it are made. A link stays a link. */
  replace(path: string, content: string): Promise<void>
  /** Makes an empty file, and throws (`EEXIST`) where there is one: whoever makes it holds the lock. */
  claim(path: string): Promise<void>
  remove(path: string): Promise<void>
}

export interface ProgramCommand {
  readonly command: string
  readonly args: readonly string[]
  readonly variables: Readonly<Record<string, string | undefined>>
  /** Whether it may read what is typed; it sees an empty input otherwise. What it says on standard error, people see. */
  readonly interactive: boolean
  /** Bytes of output beyond which it is stopped. */
  readonly longestOutput: number
  /** Stops it. */
  readonly signal?: AbortSignal | undefined
}

export interface ProgramResult {
  /** Undefined where a signal ended it. */
  readonly code: number | undefined
  readonly output: string
}

/** Rejects with `ENOENT` or `EACCES` where there is no such program, and with the signal's reason where that stopped it. */
export type RunProgram = (program: ProgramCommand) => Promise<ProgramResult>

/** The one that this process runs on, as it is now. */
export function thisHost(): HostAccess {
  return {
    variables: process.env,
    home: homedir(),
    workingDirectory: process.cwd(),
    pathDelimiter: delimiter,
    isTerminal: isatty(0),
    files: realFiles,
    run: runProgram,
  }
}

const realFiles: Files = {
  /** At once: what a client is configured by is small, and it has nothing else to do before it knows that. */
  read: async (path) => readFileSync(path, 'utf8'),
  exists: async (path) => {
    try {
      await disk.stat(path)
      return true
    } catch (error) {
      if (isMissing(error)) return false
      throw error
    }
  },
  replace: replaceFile,
  claim: async (path) => {
    await disk.mkdir(dirname(path), { recursive: true })
    await disk.writeFile(path, '', { flag: 'wx', mode: 0o600 })
  },
  remove: (path) => disk.rm(path),
}

async function replaceFile(path: string, content: string): Promise<void> {
  const target = await disk.realpath(path).catch((error: unknown) => {
    if (isMissing(error)) return path
    throw error
  })
  await disk.mkdir(dirname(target), { recursive: true })
  const unfinished = `${target}.${randomUUID()}`
  const file = await disk.open(unfinished, 'wx', 0o600)
  try {
    await file.writeFile(content)
    await file.sync()
  } finally {
    await file.close()
  }
  await disk.rename(unfinished, target)
}

export function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException | undefined)?.code === 'ENOENT'
}

/** What starts programs is loaded with the first one: few clients have any to start. */
async function runProgram(program: ProgramCommand): Promise<ProgramResult> {
  const { spawn } = await import('node:child_process')
  const { command, args, variables, interactive, longestOutput, signal } = program
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const input = interactive ? 'inherit' : 'ignore'
    const child = spawn(command, [...args], { env: variables, stdio: [input, 'pipe', 'inherit'] })
    const chunks: Buffer[] = []
    let length = 0
    const stop = (reason: unknown) => {
      reject(reason)
      child.kill('SIGKILL')
      child.stdout.destroy() // those whom it started may hold the other end, and write on
    }
    const stopListening = whenAborted(signal, () => stop(signal?.reason))
    child.stdout.on('data', (chunk: Buffer) => {
      length += chunk.length
      if (length <= longestOutput) chunks.push(chunk)
      else stop(new Error(`it said more than ${longestOutput} bytes`))
    })
    child.on('error', reject)
    child.on('close', (code) => {
      stopListening()
      resolve({ code: code ?? undefined, output: Buffer.concat(chunks).toString() })
    })
  })
}
