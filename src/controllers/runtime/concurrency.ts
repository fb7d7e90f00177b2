/**
 * Calls `act` for each item, at most `limit` at the same time. A failure does not stop the others; when all have ended, the first failure
 * is thrown.
 */
export async function forEachConcurrently<T>(
  items: Iterable<T>,
  limit: number,
  act: (item: T) => Promise<void>,
): Promise<void> {
  const rest = items[Symbol.iterator]()
  const failures: unknown[] = []
  const work = async () => {
    for (let next = rest.next(); !next.done; next = rest.next())
      await act(next.value).catch((error: unknown) => failures.push(error))
  }
  await Promise.all(Array.from({ length: limit }, work))
  if (failures.length > 0) throw failures[0]
}

/** Awaits all promises, even if one fails; then throws the first failure. */
export async function settleAll<T>(works: readonly Promise<T>[]): Promise<readonly T[]> {
  const results = await Promise.allSettled(works)
  return results.map((result) => {
    if (result.status === 'rejected') throw result.reason
    return result.value
  })
}
