import type { Duplex } from 'node:stream'

/**
 * Pipes two connections into each other, with back pressure. When one of them closes, it closes the other and resolves.
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
