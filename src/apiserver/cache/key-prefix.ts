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

/** The directories in which a key lies, from the outermost that is at least as long as `shortest` on. */
export function* directoriesOf(key: string, shortest: number): Generator<string, void, undefined> {
  for (let slash = key.indexOf('/', shortest - 1); slash >= 0; slash = key.indexOf('/', slash + 1))
    yield key.slice(0, slash + 1)
}
