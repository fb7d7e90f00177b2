const shownAtMost = 3

/** The first few, and how many there are besides. */
export function shortened(texts: readonly string[]): string {
  const shown = texts.slice(0, shownAtMost).join(',')
  const rest = texts.length - shownAtMost
  return rest > 0 ? `${shown} + ${rest} more...` : shown
}

/** IPv6 addresses have colons of their own, and stand in brackets. */
export function hostAndPort(host: string, port: number): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`
}
