import type { Readable } from 'node:stream'
import { requestEntityTooLarge } from '../../api/errors.js'

/** Thrown when the client disconnects during its request: there is no one to respond to. */
export class ClientGone extends Error {
  override readonly name = 'ClientGone'
}

export const noBytes: Uint8Array = new Uint8Array()

/** Rejects a body by its declared length, before reading it. */
export function checkDeclaredLength(declared: string | undefined, limit: number): void {
  if (declared !== undefined && Number(declared) > limit) throw tooLarge(limit)
}

/**
 * Reads a stream, at most `limit` bytes. Allocates no memory for the declared length. Rejects with `ClientGone` if the stream closes before
 * its end. Leaves bytes beyond the limit in the stream.
 *
 * Calls `isWhole` at the end, because an aborted HTTP/2 stream ends like a complete one.
 */
export function collect(stream: Readable, limit: number, isWhole: () => boolean): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let length = 0
    const gone = () => reject(new ClientGone('the connection was closed before the whole body came'))
    if (stream.destroyed) return gone()
    const take = (chunk: Buffer) => {
      length += chunk.length
      if (length <= limit) return void chunks.push(chunk)
      stream.off('data', take)
      reject(tooLarge(limit))
    }
    stream.on('data', take)
    let hasEnded = false
    stream.on('end', () => {
      hasEnded = true
      if (isWhole()) resolve(joined(chunks, length))
      else gone()
    })
    // 'close' follows every error.
    stream.on('error', () => {})
    // Every stream closes in the end. Do not create an error if nothing is wrong.
    stream.on('close', () => hasEnded || gone())
  })
}

function joined(chunks: readonly Buffer[], length: number): Uint8Array {
  return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, length)
}

function tooLarge(limit: number): Error {
  return requestEntityTooLarge(`limit is ${limit}`)
}
