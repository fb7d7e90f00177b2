import { KeyedBackoff } from './backoff.js'
import type { Environment } from './environment.js'
import { TokenBucket } from './token-bucket.js'

/** Decides when a failed key may be tried again. */
export interface RateLimiter<K = string> {
  /** Counts a failure of `key`. Returns the milliseconds to wait from now on. */
  next(key: K): number
  /** The failures of `key` since it was last forgotten. */
  failures(key: K): number
  /** `key` has succeeded, or no longer matters. */
  forget(key: K): void
}

/**
 * The default of controllers: each key from 5 ms to 1000 s, doubling; all keys together 10 per second after a burst of 100. The numbers are
 * upstream's.
 */
export function controlLoopLimiter<K = string>(environment: Pick<Environment, 'clock' | 'random'>): RateLimiter<K> {
  const backoff = new KeyedBackoff<K>(environment, { initial: 5, max: 1_000_000 })
  const bucket = new TokenBucket(environment.clock, { rate: 10, burst: 100 })
  return {
    next: (key) => Math.max(backoff.next(key), bucket.reserve()),
    failures: (key) => backoff.failures(key),
    forget: (key) => backoff.forget(key),
  }
}
