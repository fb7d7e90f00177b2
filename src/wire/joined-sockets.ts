import type { Duplex } from 'node:stream'

/**
 * Leads two connections into each other: what comes from one goes to the other, no faster than that takes it. Resolves when one of them
 * has gone, and the other with it.
 */
export function joinSockets(one: Duplex, other: Duplex): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      one.destroy()
      other.destroy()
      resolve()
    }
    for (const [from, to] of [
      [one, other],
      [other, one],
    ] as const) {
      from.once('error', end)
      from.once('close', end)
      from.pipe(to)
    }
    if (one.destroyed || other.destroyed) end()
  })
}
