import { open } from 'node:fs/promises'
import { openSubPath } from './sub-path.js'

/** Upstream's limit for a file of variables. */
const longestFile = 64 * 1024

/**
 * Reads a text file in a volume, which containers may still change. Rejects pipes, which would block a thread, devices, and files that are
 * too large.
 */
export async function readVolumeTextFile(volume: string, path: string): Promise<string> {
  const name = await openSubPath(volume, path)
  try {
    const stats = await name.stat()
    if (!stats.isFile()) throw new Error(`${path} is not a regular file`)
    if (stats.size > longestFile) throw new Error(`${path} is longer than ${longestFile} bytes`)
    // The handle is only a path (`O_PATH`). This opens the same file, even if it was replaced.
    return (await readStart(`/proc/self/fd/${name.fd}`, stats.size)).toString()
  } finally {
    await name.close()
  }
}

/** Reads at most `length` bytes, even if the file has grown. */
export async function readStart(path: string, length: number): Promise<Buffer> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}
