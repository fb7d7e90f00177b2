import { createReadStream } from 'node:fs'
import type { StreamedContent } from '../../base/tar/writer.js'

/** Bytes of a file on disk, read on demand. */
export interface FileContent extends StreamedContent {
  /** A range of these bytes, relative to their beginning. */
  part(start: number, size: number): FileContent
}

/** `size` bytes of a file, from `start` on. */
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
      if (sent !== size) throw new Error(`${path} became shorter while it was read`)
    },
  }
}

export function isFileContent(content: StreamedContent): content is FileContent {
  return 'part' in content
}

/** Reads small content into memory. Rejects content that is larger than `limit` bytes. */
export async function readContent(content: StreamedContent, limit: number): Promise<Buffer> {
  if (content.size > limit) throw new Error(`${content.size} bytes are more than the limit of ${limit}`)
  const chunks: Uint8Array[] = []
  for await (const chunk of content.chunks()) chunks.push(chunk)
  return Buffer.concat(chunks)
}
