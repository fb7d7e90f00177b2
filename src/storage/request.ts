/** Checks of requests that every store makes before it uses disk or network, so that all engines have the same limits and errors. */
import { InvalidRequestError, TooLargeError } from './errors.js'
import {
  maximumKeyBytes,
  maximumLeaseSeconds,
  maximumTransactionChanges,
  maximumValueBytes,
  type RangeQuery,
  type ReadOptions,
  type StoreChange,
  type Transaction,
  type WatchQuery,
} from './store.js'

const loneSurrogate = /\p{Surrogate}/u

export function checkKey(key: string): void {
  if (key.length === 0) throw new InvalidRequestError('a key must not be empty')
  checkText(key)
  // A UTF-16 unit takes at most three bytes in UTF-8, so most keys pass without encoding.
  if (key.length * 3 <= maximumKeyBytes) return
  const bytes = Buffer.byteLength(key)
  if (bytes > maximumKeyBytes)
    throw new InvalidRequestError(`a key of ${bytes} bytes is too long; at most ${maximumKeyBytes} are allowed`)
}

/** A lone surrogate has no UTF-8 form: two different keys would become one. */
function checkText(text: string): void {
  if (loneSurrogate.test(text))
    throw new InvalidRequestError(`${JSON.stringify(text)} cannot be written in UTF-8: it has half a surrogate pair`)
}

export function checkRead({ revision }: ReadOptions): void {
  if (revision !== undefined) checkRevision(revision)
}

export function checkRevision(revision: number): void {
  if (!isPositive(revision)) throw new InvalidRequestError(`a revision is a positive whole number, not ${revision}`)
}

export function checkRange(query: RangeQuery): void {
  checkText(query.prefix)
  checkRead(query)
  if (query.after !== undefined) checkText(query.after)
  if (query.limit !== undefined && !isPositive(query.limit))
    throw new InvalidRequestError(`a limit is a positive whole number, not ${query.limit}`)
}

export function checkWatch(query: WatchQuery): void {
  checkText(query.prefix)
  checkRead(query)
  if (query.progressInterval !== undefined && !(query.progressInterval > 0))
    throw new InvalidRequestError(`a progress interval is a positive number of milliseconds`)
}

export function checkTransaction({ compare, changes }: Transaction): void {
  checkCount('changes', changes.length)
  if (changes.length === 0) throw new InvalidRequestError('a transaction needs at least one change')
  if (compare) {
    checkCount('comparisons', compare.length)
    for (const { key, modRevision } of compare) {
      checkKey(key)
      if (modRevision !== 0) checkRevision(modRevision)
    }
  }
  for (const change of changes) checkChange(change)
  if (changes.length > 1) checkDistinct(changes)
}

function checkCount(what: string, count: number): void {
  if (count > maximumTransactionChanges)
    throw new InvalidRequestError(
      `a transaction of ${count} ${what} is too large; at most ${maximumTransactionChanges} are allowed`,
    )
}

function checkChange(change: StoreChange): void {
  checkKey(change.key)
  if (change.type === 'put' && change.value.length > maximumValueBytes)
    throw new TooLargeError(change.key, change.value.length, maximumValueBytes)
}

function checkDistinct(changes: readonly StoreChange[]): void {
  const seen = new Set<string>()
  for (const { key } of changes) {
    if (seen.has(key)) throw new InvalidRequestError(`key ${key} is changed twice in one transaction`)
    seen.add(key)
  }
}

export function checkLeaseSeconds(seconds: number): void {
  if (!isPositive(seconds) || seconds > maximumLeaseSeconds)
    throw new InvalidRequestError(`a lease lasts from 1 to ${maximumLeaseSeconds} whole seconds, not ${seconds}`)
}

function isPositive(number: number): boolean {
  return Number.isSafeInteger(number) && number > 0
}
