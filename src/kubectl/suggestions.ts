import { editDistance } from '../base/edit-distance.js'

/** Names that somebody may have meant: not more than two letters away, or with the word as their beginning. */
export function suggestions(word: string, names: readonly string[]): readonly string[] {
  return names.filter(
    (name) => editDistance(word.toLowerCase(), name) <= 2 || name.toLowerCase().startsWith(word.toLowerCase()),
  )
}
