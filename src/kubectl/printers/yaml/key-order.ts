const isDigit = (character: string | undefined) => character !== undefined && /\p{Nd}/u.test(character)
const isLetter = (character: string) => /\p{L}/u.test(character)

/** Compares keys as Go's YAML library does: numbers in names count as numbers, so `a2` comes before `a10`. */
export function compareKeys(left: string, right: string): number {
  const one = [...left]
  const other = [...right]
  const at = one.findIndex((character, index) => index >= other.length || character !== other[index])
  if (at === -1 || at >= other.length) return one.length - other.length
  return compareFrom(one, other, at)
}

function compareFrom(one: readonly string[], other: readonly string[], at: number): number {
  const [left, right] = [one[at]!, other[at]!]
  const letters = [isLetter(left), isLetter(right)]
  if (letters[0] && letters[1]) return left < right ? -1 : 1
  if (letters[0] || letters[1]) {
    const lettersFirst = isDigit(one[at - 1])
    return letters[0] === lettersFirst ? -1 : 1
  }
  return compareNumbers(one, other, at) || (left < right ? -1 : 1)
}

function compareNumbers(one: readonly string[], other: readonly string[], at: number): number {
  const start = one[at] === '0' || other[at] === '0' ? significant(one, at) : ''
  const numbers = [digitsFrom(one, at), digitsFrom(other, at)]
  const values = numbers.map((digits) => Number(start + digits))
  return values[0]! - values[1]! || numbers[0]!.length - numbers[1]!.length
}

/** A zero is significant after other digits. */
function significant(characters: readonly string[], at: number): string {
  for (let index = at - 1; index >= 0 && isDigit(characters[index]); index--) if (characters[index] !== '0') return '1'
  return ''
}

function digitsFrom(characters: readonly string[], at: number): string {
  let end = at
  while (isDigit(characters[end])) end++
  return characters.slice(at, end).join('')
}
