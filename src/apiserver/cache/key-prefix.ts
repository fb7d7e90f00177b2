/** The keys that begin with `prefix`, from the first after `after` on, as a range: from `start` on and before `end`. */
export function keyRange(prefix: string, after: string | undefined): { readonly start: string; readonly end: string } {
  // A key is the same text as a directory only up to its last slash; the character after the slash ends the range.
  const end = `${prefix.slice(0, -1)}0`
  return { start: after !== undefined && after > prefix ? `${after}\0` : prefix, end }
}

/** Whether the prefix is a whole key, and so means one object and not all those whose names begin like it. */
export function isOneKey(prefix: string): boolean {
  return !prefix.endsWith('/')
}

export function isBelow(key: string, prefix: string): boolean {
  return isOneKey(prefix) ? key === prefix : key.startsWith(prefix)
}

/** How long the outermost directory of a key is that is at least so long; 0 if there is none. */
export function directoryLength(key: string, atLeast: number): number {
  return key.indexOf('/', atLeast - 1) + 1
}
