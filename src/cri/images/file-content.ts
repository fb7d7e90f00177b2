import { createReadStream } from 'node:fs'
import type { StreamedContent } from '../../base/tar/writer.js'

/** A range of a file on disk, read on demand. */
export interface FileContent extends StreamedContent {
  /** A subrange; `start` is relative to this range. */
  part(start: number, size: number): FileContent
}

/** Returns `size` bytes of a file, from offset `start`. */
export function fileContent(path: string, size: number, start = 0): FileContent {
  return {
    size,
    part: (offset, length) => fileContent(path, length, start + offset),
    async *chunks() {
      if (size === 0) return
      let sent = 0
      for await (const chunk of createReadStream(path, { start, end: start + size - 1, highWaterMark: 1 << 20 })) {
        sent += chunk.length
        yield chunk
      }
      if (sent !== size) throw new Error(`${path} was truncated while it was read`)
    },
  }
}

export function isFileContent(content: StreamedContent): content is FileContent {
  return 'part' in content
}

/** Reads small content into memory. Rejects content that is larger than `limit` bytes. */
export async function readContent(content: StreamedContent, limit: number): Promise<Buffer> {
  if (content.size > limit) throw new Error(`the content has ${content.size} bytes; the limit is ${limit}`)
  const chunks: Uint8Array[] = []
  for await (const chunk of content.chunks()) chunks.push(chunk)
  return Buffer.concat(chunks)
}
