import type { Random } from '../../base/random.js'

const longestName = 63
const suffixLength = 5

/** No vowels and nothing that looks like one: generated names spell nothing. */
const alphabet = 'bcdfghjklmnpqrstvwxz2456789'

/** A name that begins with `prefix`, cut where it would be too long for a label, and ends in five random characters. */
export function generatedName(prefix: string, random: Random): string {
  let name = prefix.slice(0, longestName - suffixLength)
  for (let i = 0; i < suffixLength; i++) name += alphabet[random.integer(alphabet.length)]
  return name
}
