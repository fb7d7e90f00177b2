/** Results in the order of what they are made from; at most so many are in the making at a time. */
export async function mapConcurrently<Item, Result>(
  items: readonly Item[],
  size: number,
  make: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = []
  const left = items.entries()
  const work = async () => {
    for (const [index, item] of left) results[index] = await make(item)
  }
  await Promise.all(Array.from({ length: size }, work))
  return results
}
