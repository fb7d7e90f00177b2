/** What follows the objects on the line: `key=value` to set, `key-` to take out. */
export interface Pairs {
  readonly resources: readonly string[]
  readonly set: Readonly<Record<string, string>>
  readonly removed: readonly string[]
  /** As they were typed. */
  readonly words: readonly string[]
}

/** `what` is what they are pairs of, as messages call it. */
export function readPairs(args: readonly string[], what: string): Pairs {
  const isPair = (word: string) => (word.includes('=') && !word.startsWith('=')) || (word.endsWith('-') && word !== '-')
  const first = args.findIndex(isPair)
  const resources = first === -1 ? args : args.slice(0, first)
  const words = first === -1 ? [] : args.slice(first)
  const late = words.find((word) => !isPair(word))
  if (late !== undefined) throw new Error(`all resources must be specified before ${what} changes: ${late}`)
  const set: Record<string, string> = {}
  const removed: string[] = []
  for (const word of words) {
    const at = word.indexOf('=')
    if (at > 0) set[word.slice(0, at)] = word.slice(at + 1)
    else removed.push(word.slice(0, -1))
  }
  return { resources, set, removed, words }
}
