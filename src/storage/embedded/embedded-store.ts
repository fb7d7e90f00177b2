import { join } from 'node:path'
import { type Environment, environment as realEnvironment } from '../../base/environment.js'
import { defaultHistoryWindow, LocalStore } from '../engine/local-store.js'
import { openMedium } from './open-medium.js'

export interface EmbeddedStoreOptions {
  /** The folder of the store, for no other use. Created if it is missing. */
  readonly directory: string
  readonly environment?: Environment
  /** How long history is kept, in milliseconds; five minutes by default. */
  readonly historyWindow?: number
  /** The initial size of the memory map, in bytes. It grows with the file. */
  readonly mapSize?: number
}

/** Returns the folder of the store in the data directory of a cluster. */
export function storeDirectory(dataDirectory: string): string {
  return join(dataDirectory, 'store')
}

/**
 * Opens the default store: one folder on the local disk, with LMDB. Rejects with `UnusableStoreError`, and changes nothing, if another
 * process uses the folder, or if its content is damaged or not a store.
 */
export async function openEmbeddedStore(options: EmbeddedStoreOptions): Promise<LocalStore> {
  const { directory, environment = realEnvironment(), historyWindow = defaultHistoryWindow } = options
  const medium = await openMedium(directory, environment, options.mapSize)
  return new LocalStore({ environment, medium, historyWindow, defer: (start) => setImmediate(start) })
}
