/**
 * A value that is mostly here already, and sometimes has to be waited for. An `async` function would put every caller off by a turn of
 * the microtask queue and allocate a promise for each call; on hot paths that costs more than the work itself. These functions hide the
 * choice: code is written once, and runs at once where nothing has to be waited for.
 *
 * Two laws hold for each of them:
 *
 * 1. If nothing that it meets is a promise, it returns a plain value, and everything has run before it returns.
 * 2. Otherwise awaiting its result gives what the same code with an `await` at every step would give, errors included.
 *
 * What is thrown before the first promise is thrown; what is thrown after it rejects. `recover` takes both.
 */
export type MaybePromise<T> = T | Promise<T>

/** Only native promises count: everything in this tree that has to be waited for is one. */
export function isPromise<T>(value: MaybePromise<T>): value is Promise<T> {
  return value instanceof Promise
}

/** Calls `next` with the value as soon as it is here, which may be at once. */
export function whenReady<T, R>(value: MaybePromise<T>, next: (value: T) => MaybePromise<R>): MaybePromise<R> {
  return isPromise(value) ? value.then(next) : next(value)
}

/** Runs `run`. If it throws or rejects, gives what `onError` makes of the error. */
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

/** Calls `run` with one item after the other, each when the one before is through. Stops at the first error. */
export function forEachInOrder<T>(items: Iterable<T>, run: (item: T) => MaybePromise<void>): MaybePromise<void> {
  return firstDefined(items, (item) => run(item) as MaybePromise<undefined>)
}

/** As `forEachInOrder`, but stops at the first item for which `run` gives something, and gives that. */
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
