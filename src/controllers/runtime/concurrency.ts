/**
 * Does something with each item, at most so many at once. One that fails keeps no other from being done; when all are through,
 * the first failure is thrown.
 */
export async function forEachConcurrently<T>(
  items: Iterable<T>,
  most: number,
  act: (item: T) => Promise<void>,
): Promise<void> {
  const rest = items[Symbol.iterator]()
  const failures: unknown[] = []
  const work = async () => {
    for (let next = rest.next(); !next.done; next = rest.next())
      await act(next.value).catch((error: unknown) => failures.push(error))
  }
  await Promise.all(Array.from({ length: most }, work))
  if (failures.length > 0) throw failures[0]
}
