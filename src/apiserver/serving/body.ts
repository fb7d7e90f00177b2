import type { Readable } from 'node:stream'
import { requestEntityTooLarge } from '../../api/errors.js'

/** The client went away in the middle of its request: there is nobody left to be told. */
export class ClientGone extends Error {
  override readonly name = 'ClientGone'
}

export const noBytes: Uint8Array = new Uint8Array()

/** Refuses by the length that the client declares, before a byte of it is read. */
export function checkDeclaredLength(declared: string | undefined, limit: number): void {
  if (declared !== undefined && Number(declared) > limit) throw tooLarge(limit)
}

/**
 * All that comes, at most `limit` bytes. No memory is set aside for what is only announced. Rejects with `ClientGone` when the
 * stream closes before its end. What is not taken, because there is too much of it, is left to the stream.
 *
 * `isWhole` is asked at the end, because a stream of HTTP/2 that was broken off ends like any other.
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
    // What an error says is of no use to anyone: it is always followed by 'close'.
    stream.on('error', () => {})
    // Every stream is closed in the end, and an error that nobody sees costs as much as one that somebody does.
    stream.on('close', () => hasEnded || gone())
  })
}

function joined(chunks: readonly Buffer[], length: number): Uint8Array {
  return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, length)
}

function tooLarge(limit: number): Error {
  return requestEntityTooLarge(`limit is ${limit}`)
}
