import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Clock } from '../../base/clock.js'
import { FolderHold } from '../../base/folder-hold.js'
import { UnusableStoreError } from '../errors.js'

const noteFile = 'holder.json'

interface Note {
  readonly pid: number
  readonly since: string
}

/**
 * The lock of this process on the folder of a store, with a file that names the holder. Where the lock does not work (see `FolderHold`),
 * the fence in the store (`open-medium.ts`) ensures that only the last process that opened it can write.
 */
export class FolderLock {
  readonly #hold: FolderHold
  readonly #directory: string

  private constructor(hold: FolderHold, directory: string) {
    this.#hold = hold
    this.#directory = directory
  }

  /** Rejects with an error that names the holder if another process, or this one, has the folder open. */
  static async acquire(directory: string, clock: Clock, name?: string): Promise<FolderLock> {
    const hold = await FolderHold.take(directory, 'store', name).catch((error: Error) => {
      throw new UnusableStoreError(`cannot lock the store: ${error.message}`, { cause: error })
    })
    if (!hold) throw new UnusableStoreError(`${directory} is in use by ${describeHolder(directory)}`)
    const note: Note = { pid: process.pid, since: new Date(clock.now()).toISOString() }
    writeFileSync(join(directory, noteFile), JSON.stringify(note), { mode: 0o600 })
    return new FolderLock(hold, directory)
  }

  async release(): Promise<void> {
    rmSync(join(this.#directory, noteFile), { force: true })
    await this.#hold.release()
  }
}

function describeHolder(directory: string): string {
  try {
    const { pid, since }: Note = JSON.parse(readFileSync(join(directory, noteFile), 'utf8'))
    return pid === process.pid ? `this process, since ${since}` : `process ${pid}, since ${since}`
  } catch {
    return 'another process, which has only just started'
  }
}
