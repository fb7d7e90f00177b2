import type { StoredVersion } from './strategy.js'

/** For a version that has the same form as the one that is kept. */
export function sameForm<T extends object>(type: string): StoredVersion<T> {
  return { type, toStored: (object) => object, fromStored: (object: object) => object }
}
