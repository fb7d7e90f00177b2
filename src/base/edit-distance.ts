/** Returns how many letters must be inserted, deleted or replaced to turn one text into the other. */
export function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (let i = 1; i <= from.length; i++) {
    const next = [i]
    for (let k = 1; k <= to.length; k++) {
      const replaced = row[k - 1]! + (from[i - 1] === to[k - 1] ? 0 : 1)
      next.push(Math.min(replaced, row[k]! + 1, next[k - 1]! + 1))
    }
    row = next
  }
  return row[to.length]!
}
