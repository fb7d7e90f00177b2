import { randomUUID } from 'node:crypto'
import { promises as disk, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, dirname } from 'node:path'
import { isatty } from 'node:tty'
import { whenAborted } from '../base/abort.js'

/** What a client needs from its host to find a server and to authenticate: files, variables, programs. Passed in, so that tests can fake it. */
export interface HostAccess {
  readonly variables: Readonly<Record<string, string | undefined>>
  readonly home: string
  /** The base of relative paths on the command line. */
  readonly workingDirectory: string
  /** Separates the paths of a list: `:`, or `;` on Windows. */
  readonly pathDelimiter: string
  /** Whether standard input is a terminal. */
  readonly isTerminal: boolean
  readonly files: Files
  readonly run: RunProgram
}

/** Paths are absolute. A missing file is an error with the code `ENOENT`. */
export interface Files {
  read(path: string): Promise<string>
  exists(path: string): Promise<boolean>
  /** Writes a file atomically, readable for its owner only. Creates missing folders. A link stays a link. */
  replace(path: string, content: string): Promise<void>
  /** Creates an empty file, which is a lock. Throws (`EEXIST`) if it exists. */
  claim(path: string): Promise<void>
  remove(path: string): Promise<void>
}

export interface ProgramCommand {
  readonly command: string
  readonly args: readonly string[]
  readonly variables: Readonly<Record<string, string | undefined>>
  /** Whether it reads this process's standard input; otherwise its input is empty. It shares standard error. */
  readonly interactive: boolean
  /** Bytes of output after which it is killed. */
  readonly longestOutput: number
  /** Kills it. */
  readonly signal?: AbortSignal | undefined
}

export interface ProgramResult {
  /** Undefined if a signal killed it. */
  readonly code: number | undefined
  readonly output: string
}

/** Rejects with `ENOENT` or `EACCES` if the program cannot be started, and with the reason of the signal if that is aborted. */
export type RunProgram = (program: ProgramCommand) => Promise<ProgramResult>

/** Returns access to the host of this process. */
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
  /** Synchronous: configuration files are small, and the client cannot do anything before it has read them. */
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

/** Imports `node:child_process` on first use: few clients start programs. */
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
      child.stdout.destroy() // its children may hold the other end and keep writing
    }
    const stopListening = whenAborted(signal, () => stop(signal?.reason))
    child.stdout.on('data', (chunk: Buffer) => {
      length += chunk.length
      if (length <= longestOutput) chunks.push(chunk)
      else stop(new Error(`its output is longer than ${longestOutput} bytes`))
    })
    child.on('error', reject)
    child.on('close', (code) => {
      stopListening()
      resolve({ code: code ?? undefined, output: Buffer.concat(chunks).toString() })
    })
  })
}

const meanings: Readonly<Record<string, string>> = {
  ENOENT: 'no such file or directory',
  EACCES: 'permission denied',
  EISDIR: 'is a directory',
  ENOTDIR: 'not a directory',
  EEXIST: 'file exists',
}

/** Formats an error like Go: `open /some/file: no such file or directory`. */
export function fileError(action: string, path: string, error: unknown): Error {
  const { code = '', message } = error as NodeJS.ErrnoException
  return new Error(`${action} ${path}: ${meanings[code] ?? message}`, { cause: error })
}
