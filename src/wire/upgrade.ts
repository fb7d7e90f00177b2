import type { IncomingMessage } from 'node:http'
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

/** Returns the head of a response as it was sent, to pass it on with its connection. */
export function responseHead({ statusCode, statusMessage, rawHeaders }: IncomingMessage): Buffer {
  const lines = [`HTTP/1.1 ${statusCode} ${statusMessage}`]
  for (let index = 0; index < rawHeaders.length; index += 2)
    lines.push(`${rawHeaders[index]}: ${rawHeaders[index + 1]}`)
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1')
}
