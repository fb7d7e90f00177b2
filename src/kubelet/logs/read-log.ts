import { type FSWatcher, watch } from 'node:fs'
import { basename, dirname } from 'node:path'
import type { Clock } from '../../base/clock.js'
import { ContainerLogFile } from './container-log-file.js'
import { LogFormatter } from './log-formatter.js'
import type { LogOptions } from './log-options.js'

export interface LogSource {
  readonly path: string
  /** Returns whether the container may still write. Called rarely. */
  readonly isRunning: () => Promise<boolean>
}

export interface ReadLogContext {
  readonly clock: Clock
  readonly signal: AbortSignal
}

/** Milliseconds without a change after which the file is checked: watch events can be lost. */
const quietPeriod = 1000

/**
 * Streams a container's log. Reads a chunk only when the last one was consumed. A followed log ends with its container and continues
 * through rotations without a gap.
 */
export async function* readLog(
  { path, isRunning }: LogSource,
  options: LogOptions,
  { clock, signal }: ReadLogContext,
): AsyncIterable<Buffer> {
  const text = new LogFormatter(options)
  let file = await ContainerLogFile.open(path, options.tailLines)
  let changes: FileChanges | undefined
  try {
    if (options.follow) changes = new FileChanges(path, clock, signal)
    for (let isLast = !changes; !signal.aborted; ) {
      yield* rest(file, text, signal)
      if (text.isFull) return
      if (isLast) break
      if (await file.isReplaced(path)) {
        yield* rest(file, text, signal) // what was written before the rotation
        const next = await ContainerLogFile.open(path)
        await file.close()
        file = next
      } else if (await changes!.isQuiet()) isLast = !(await isRunning())
    }
    const remainder = file.remainder()
    if (remainder.length > 0) yield text.format([remainder])
  } finally {
    changes?.close()
    await file.close()
  }
}

/** Yields up to the current end of the file. */
async function* rest(file: ContainerLogFile, text: LogFormatter, signal: AbortSignal): AsyncIterable<Buffer> {
  while (!text.isFull && !signal.aborted) {
    const lines = await file.lines()
    if (lines.length === 0) return
    const piece = text.format(lines)
    if (piece.length > 0) yield piece
  }
}

/** Wakes a reader at the end of its file. */
class FileChanges {
  readonly #clock: Clock
  readonly #signal: AbortSignal
  readonly #watcher: FSWatcher
  #hasChanged = false
  #wake: () => void = () => {}

  constructor(path: string, clock: Clock, signal: AbortSignal) {
    this.#clock = clock
    this.#signal = signal
    const name = basename(path)
    this.#watcher = watch(dirname(path), { persistent: false }, (_, changed) => {
      if (changed !== null && changed !== name) return
      this.#hasChanged = true
      this.#wake()
    })
    this.#watcher.on('error', () => {}) // the folder was removed; the reader notices it
    signal.addEventListener('abort', () => this.#wake(), { once: true })
  }

  /** Waits for a change. Resolves with true if there was none for a while. */
  async isQuiet(): Promise<boolean> {
    if (!this.#hasChanged && !this.#signal.aborted)
      await new Promise<void>((resolve) => {
        const timer = this.#clock.timer(quietPeriod, resolve)
        this.#wake = () => {
          timer.cancel()
          resolve()
        }
      })
    const hadChanged = this.#hasChanged
    this.#hasChanged = false
    return !hadChanged
  }

  close(): void {
    this.#watcher.close()
  }
}
