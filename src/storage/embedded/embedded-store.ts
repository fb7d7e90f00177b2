import { join } from 'node:path'
import { type Environment, environment as realEnvironment } from '../../base/environment.js'
import { defaultHistoryWindow, LocalStore } from '../engine/local-store.js'
import { openMedium } from './open-medium.js'

export interface EmbeddedStoreOptions {
  /** The folder that the store has for itself; made when it does not exist. */
  readonly directory: string
  readonly environment?: Environment
  /** How long history is kept, in milliseconds; five minutes unless told. */
  readonly historyWindow?: number
  /** How much of the address space is set aside for the file at first, in bytes. It grows with the file. */
  readonly mapSize?: number
}

/** Where the store stands in the data directory of a cluster. */
export function storeDirectory(dataDirectory: string): string {
  return join(dataDirectory, 'store')
}

/**
 * The default store: one folder on this machine's disk, in LMDB. Rejects with `UnusableStoreError`, having touched nothing, when
 * another process holds the folder or what is in it is damaged or not a store.
 */
export async function openEmbeddedStore(options: EmbeddedStoreOptions): Promise<LocalStore> {
  const { directory, environment = realEnvironment(), historyWindow = defaultHistoryWindow } = options
  const medium = await openMedium(directory, environment, options.mapSize)
  return new LocalStore({ environment, medium, historyWindow, defer: (start) => setImmediate(start) })
}
