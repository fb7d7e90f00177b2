import { createHash } from 'node:crypto'

/** Far more than one server has files. */
const most = 64

/**
 * A function of texts that remembers what it said of the last few, for what is asked every minute about files that hardly ever change.
 * The texts themselves are not kept: they may be keys.
 */
export function remembering<T>(answer: (...texts: readonly string[]) => T): (...texts: readonly string[]) => T {
  const known = new Map<string, T>()
  return (...texts) => {
    const key = digestOf(texts)
    const found = known.get(key)
    if (found !== undefined) return found
    const made = answer(...texts)
    known.set(key, made)
    if (known.size > most) known.delete(known.keys().next().value!)
    return made
  }
}

function digestOf(texts: readonly string[]): string {
  const hash = createHash('sha256')
  for (const text of texts) hash.update(`${text.length} `).update(text)
  return hash.digest('base64')
}
