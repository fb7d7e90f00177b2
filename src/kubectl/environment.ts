import type { Clock } from '../base/clock.js'
import type { Random } from '../base/random.js'
import type { HostAccess } from '../client/host-access.js'

/** Everything outside of kubectl that it uses, so that tests can replace it. */
export interface KubectlEnvironment {
  readonly host: HostAccess
  readonly clock: Clock
  readonly random: Random
  readonly input: AsyncIterable<Uint8Array>
  /** Resolves when the text is written, so that a slow reader slows kubectl down. */
  readonly out: WriteOutput
  readonly err: WriteOutput
  /** The process ID, for the log. */
  readonly pid: number
  /** Aborted on Ctrl-C. */
  readonly signal: AbortSignal
  /** Returns a signal that Ctrl-C aborts. After the call Ctrl-C no longer ends the process, so the command must end itself. */
  interrupts(): AbortSignal
  /** Undefined if standard input is not a terminal. */
  readonly terminal?: Terminal
  /** The local files that commands read and write. */
  readonly files: LocalFiles
  readonly runInForeground: RunInForeground
}

/** A program that uses the terminal of this process while it runs. */
interface ForegroundProgram {
  readonly command: string
  readonly args: readonly string[]
  readonly variables: Readonly<Record<string, string | undefined>>
}

/**
 * Resolves with the exit code; undefined if a signal ended the program. Rejects with `ENOENT` or `EACCES` if the program cannot be started.
 */
export type RunInForeground = (program: ForegroundProgram) => Promise<number | undefined>

export interface TerminalSize {
  readonly columns: number
  readonly rows: number
}

export interface Terminal {
  /** Switches to raw mode. Calls `tell` with the size now and after each change. Returns a function that restores the terminal. */
  enter(tell: (size: TerminalSize) => void): () => void
}

export type WriteOutput = (text: string | Uint8Array) => Promise<void>

export interface LocalFiles {
  /** The sorted names in a directory; undefined if the path is not a directory. Throws if it does not exist. */
  entries(path: string): Promise<readonly string[] | undefined>
  /** The content of a file. */
  bytes(path: string): Promise<Uint8Array>
  /** Describes a path without following links. Undefined if it does not exist. */
  lstat(path: string): Promise<FileInfo | undefined>
  /** Yields the first `size` bytes of a file. Throws if the file has become shorter. */
  chunks(path: string, size: number): AsyncIterable<Uint8Array>
  /** Replaces the content of a file. */
  write(path: string, content: AsyncIterable<Uint8Array>): Promise<void>
  /** Creates a directory and its parents if they do not exist. */
  makeDirectory(path: string): Promise<void>
  /** Creates a temporary directory whose name starts with `prefix`. */
  temporaryDirectory(prefix: string): Promise<string>
  /** Writes a new temporary file that only its owner can read: prefix, random number, suffix. Returns its path. */
  temporaryFile(file: { readonly prefix: string; readonly suffix: string; readonly content: string }): Promise<string>
  /** Removes a directory and its content. */
  removeTree(path: string): Promise<void>
  /** The paths that match a pattern with `*`, `?` and `[…]`. */
  matches(pattern: string): Promise<readonly string[]>
}

/** The properties of a path. */
export interface FileInfo {
  readonly type: 'file' | 'directory' | 'link' | 'other'
  readonly size: number
  readonly mode: number
  readonly uid: number
  readonly gid: number
  /** The target of a link; '' for others. */
  readonly target: string
}
