import type { Clock } from '../base/clock.js'
import type { Random } from '../base/random.js'
import type { HostAccess } from '../client/host-access.js'

/** All that kubectl knows of the world outside, handed in by whoever starts it. */
export interface KubectlEnvironment {
  readonly machine: HostAccess
  readonly clock: Clock
  readonly random: Random
  readonly input: AsyncIterable<Uint8Array>
  /** Resolves when it is written, so that a slow reader slows the writer down. */
  readonly out: WriteOutput
  readonly err: WriteOutput
  /** Number of this process, for the log. */
  readonly pid: number
  /** Is aborted when somebody presses Ctrl-C. */
  readonly signal: AbortSignal
  /** Asked for, Ctrl-C aborts it, and no longer ends the process by itself: for what ends well that way. */
  interrupts(): AbortSignal
  /** Undefined where nobody sits at a terminal. */
  readonly terminal?: Terminal
  /** Files and folders that a command is given by name. */
  readonly files: LocalFiles
  readonly runInForeground: RunInForeground
}

/** What reads and writes where this process does, and has the terminal for itself as long as it runs. */
interface ForegroundProgram {
  readonly command: string
  readonly args: readonly string[]
  readonly variables: Readonly<Record<string, string | undefined>>
}

/** Resolves with the exit code, undefined where a signal ended it. Rejects with `ENOENT` or `EACCES` where there is no such program. */
export type RunInForeground = (program: ForegroundProgram) => Promise<number | undefined>

export interface TerminalSize {
  readonly columns: number
  readonly rows: number
}

export interface Terminal {
  /** Has every key go to the other side; tells the size, and each new one. What it gives ends that. */
  enter(tell: (size: TerminalSize) => void): () => void
}

export type WriteOutput = (text: string | Uint8Array) => Promise<void>

export interface LocalFiles {
  /** What lies in a folder, in order of names; undefined where the path is no folder. Throws where there is nothing. */
  entries(path: string): Promise<readonly string[] | undefined>
  /** All that a file holds, be it text or not. */
  bytes(path: string): Promise<Uint8Array>
  /** What is there; a link is not followed. Undefined where there is nothing. */
  lstat(path: string): Promise<FileInfo | undefined>
  /** So many bytes of a file, piece by piece. Throws where it has become shorter. */
  chunks(path: string, size: number): AsyncIterable<Uint8Array>
  /** Writes a file anew, piece by piece. */
  write(path: string, content: AsyncIterable<Uint8Array>): Promise<void>
  /** Makes a folder, and those that it is in, unless they are there. */
  makeDirectory(path: string): Promise<void>
  /** Makes a new folder for what is needed only for a while, whose name begins like that. */
  temporaryDirectory(prefix: string): Promise<string>
  /** Writes a new file, for its owner only, between whose name's beginning and end a number stands; gives its path. */
  temporaryFile(file: { readonly prefix: string; readonly suffix: string; readonly content: string }): Promise<string>
  /** Removes a folder with all that is in it. */
  removeTree(path: string): Promise<void>
  /** Names that match a pattern with `*`, `?` and `[…]`. */
  matches(pattern: string): Promise<readonly string[]>
}

/** A file, a folder, or something else. */
export interface FileInfo {
  readonly type: 'file' | 'directory' | 'link' | 'other'
  readonly size: number
  readonly mode: number
  readonly uid: number
  readonly gid: number
  /** Where a link leads; '' for others. */
  readonly target: string
}
