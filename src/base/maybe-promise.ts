/**
 * A value that is usually available at once, and sometimes a promise. An `async` function would delay every caller by a turn of the
 * microtask queue and allocate a promise for each call; on hot paths that costs more than the work itself. These functions hide the
 * difference: code is written once, and runs synchronously if there is no promise.
 *
 * Two laws hold for each of them:
 *
 * 1. If no value is a promise, it returns a plain value, and everything has run before it returns.
 * 2. Otherwise awaiting its result gives the result of the same code with an `await` at every step, errors included.
 *
 * An error before the first promise is thrown; an error after it rejects. `recover` handles both.
 */
export type MaybePromise<T> = T | Promise<T>

/** Only native promises count: all promises in this tree are native. */
export function isPromise<T>(value: MaybePromise<T>): value is Promise<T> {
  return value instanceof Promise
}

/** Calls `next` with the value as soon as it is available, possibly at once. */
export function whenReady<T, R>(value: MaybePromise<T>, next: (value: T) => MaybePromise<R>): MaybePromise<R> {
  return isPromise(value) ? value.then(next) : next(value)
}

/** Calls `run`. If it throws or rejects, returns the result of `onError`. */
export function recover<T, R = T>(
  run: () => MaybePromise<T>,
  onError: (error: unknown) => MaybePromise<R>,
): MaybePromise<T | R> {
  try {
    const value = run()
    return isPromise(value) ? value.catch(onError) : value
  } catch (error) {
    return onError(error)
  }
}

/** Calls `run` with one item after the other, each when the previous one has ended. Stops at the first error. */
export function forEachInOrder<T>(items: Iterable<T>, run: (item: T) => MaybePromise<void>): MaybePromise<void> {
  return firstDefined(items, (item) => run(item) as MaybePromise<undefined>)
}

/** As `forEachInOrder`, but stops at the first item for which `run` returns a value, and returns it. */
export function firstDefined<T, R>(
  items: Iterable<T>,
  run: (item: T) => MaybePromise<R | undefined>,
): MaybePromise<R | undefined> {
  return firstDefinedOf(items[Symbol.iterator](), run)
}

function firstDefinedOf<T, R>(
  rest: Iterator<T>,
  run: (item: T) => MaybePromise<R | undefined>,
): MaybePromise<R | undefined> {
  for (let next = rest.next(); !next.done; next = rest.next()) {
    const result = run(next.value)
    if (isPromise(result)) return result.then((found) => (found === undefined ? firstDefinedOf(rest, run) : found))
    if (result !== undefined) return result
  }
  return undefined
}
