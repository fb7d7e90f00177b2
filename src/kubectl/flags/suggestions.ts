/** Names that somebody may have meant: not more than two letters away, or with the word as their beginning. */
export function suggestions(word: string, names: readonly string[]): readonly string[] {
  return names.filter(
    (name) => distance(word.toLowerCase(), name) <= 2 || name.toLowerCase().startsWith(word.toLowerCase()),
  )
}

/** Letters to add, to take out or to replace. */
function distance(left: string, right: string): number {
  let row = Array.from({ length: right.length + 1 }, (_, index) => index)
  for (let i = 1; i <= left.length; i++) {
    const next = [i]
    for (let j = 1; j <= right.length; j++) {
      const same = row[j - 1]! + (left[i - 1] === right[j - 1] ? 0 : 1)
      next.push(Math.min(same, row[j]! + 1, next[j - 1]! + 1))
    }
    row = next
  }
  return row[right.length]!
}
