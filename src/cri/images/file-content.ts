import { createReadStream } from 'node:fs'
import type { StreamedContent } from '../../base/tar/writer.js'

/** A file, or `size` bytes of it from `start` on. */
export function fileContent(path: string, size: number, start = 0): StreamedContent {
  return {
    size,
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
