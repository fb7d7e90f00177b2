import type { Random } from '../../base/random.js'

const longestName = 63
const suffixLength = 5

/** Without vowels and characters that look like vowels, so that generated names do not form words. */
const alphabet = 'bcdfghjklmnpqrstvwxz2456789'

/** Returns `prefix`, truncated so that the name fits into a label, with five random characters appended. */
export function generatedName(prefix: string, random: Random): string {
  let name = prefix.slice(0, longestName - suffixLength)
  for (let i = 0; i < suffixLength; i++) name += alphabet[random.integer(alphabet.length)]
  return name
}
