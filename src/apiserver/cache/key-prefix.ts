/** The range of keys that begin with `prefix` and come after `after`: from `start`, which is included, to `end`, which is not. */
export function keyRange(prefix: string, after: string | undefined): { readonly start: string; readonly end: string } {
  // `0` is the character after the slash: all keys of the directory come before it.
  const end = `${prefix.slice(0, -1)}0`
  return { start: after !== undefined && after > prefix ? `${after}\0` : prefix, end }
}

/** Whether the prefix is a whole key, which stands for one object. */
export function isOneKey(prefix: string): boolean {
  return !prefix.endsWith('/')
}

export function isBelow(key: string, prefix: string): boolean {
  return isOneKey(prefix) ? key === prefix : key.startsWith(prefix)
}

/** The length of the shortest directory of a key that is at least `atLeast` long; 0 if there is none. */
export function directoryLength(key: string, atLeast: number): number {
  return key.indexOf('/', atLeast - 1) + 1
}
