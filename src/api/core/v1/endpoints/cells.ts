const shownAtMost = 3

/** The first few texts, and the number of the others. */
export function shortened(texts: readonly string[]): string {
  const shown = texts.slice(0, shownAtMost).join(',')
  const rest = texts.length - shownAtMost
  return rest > 0 ? `${shown} + ${rest} more...` : shown
}

/** Joins host and port. IPv6 addresses are in brackets. */
export function hostAndPort(host: string, port: number): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`
}
