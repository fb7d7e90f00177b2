import { type FSWatcher, watch } from 'node:fs'
import { basename, dirname } from 'node:path'
import type { Clock } from '../../base/clock.js'
import { ContainerLogFile } from './container-log-file.js'
import { LogFormatter } from './log-formatter.js'
import type { LogOptions } from './log-options.js'

export interface LogSource {
  readonly path: string
  /** Whether its container may still write. Asked only now and then. */
  readonly isRunning: () => Promise<boolean>
}

export interface ReadLogContext {
  readonly clock: Clock
  readonly signal: AbortSignal
}

/** How long nothing may happen before somebody looks whether something has: watches on files can be missed. */
const patience = 1000

/**
 * What a container wrote, piece by piece; none is read before the last one was taken. One that is followed ends with its container; when
 * its file is moved away because it became too long, it goes on in the next one, and nothing is left out.
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
        yield* rest(file, text, signal) // what was written between the last look and the change
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

/** Up to where the file ends now. */
async function* rest(file: ContainerLogFile, text: LogFormatter, signal: AbortSignal): AsyncIterable<Buffer> {
  while (!text.isFull && !signal.aborted) {
    const lines = await file.lines()
    if (lines.length === 0) return
    const piece = text.format(lines)
    if (piece.length > 0) yield piece
  }
}

/** Wakes a reader that has come to the end of its file. */
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
    this.#watcher.on('error', () => {}) // the folder has gone: the reader finds out by itself
    signal.addEventListener('abort', () => this.#wake(), { once: true })
  }

  /** Waits for a change; true if there was none for a while. */
  async isQuiet(): Promise<boolean> {
    if (!this.#hasChanged && !this.#signal.aborted)
      await new Promise<void>((resolve) => {
        const timer = this.#clock.timer(patience, resolve)
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
