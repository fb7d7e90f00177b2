import { open } from 'node:fs/promises'
import { openSubPath } from './sub-path.js'

/** As much as upstream lets a file of variables have. */
const longestFile = 64 * 1024

/**
 * The text of a file in a volume. Containers make it, and may still change it: rejects if it is a pipe, which would hold up a thread for
 * good, a device, or more than anybody needs.
 */
export async function readVolumeTextFile(volume: string, path: string): Promise<string> {
  const name = await openSubPath(volume, path)
  try {
    const stats = await name.stat()
    if (!stats.isFile()) throw new Error(`${path} is not a regular file`)
    if (stats.size > longestFile) throw new Error(`${path} is longer than ${longestFile} bytes`)
    // The handle has nothing but the name. This opens the very same file, whatever has come in its place.
    return (await readStart(`/proc/self/fd/${name.fd}`, stats.size)).toString()
  } finally {
    await name.close()
  }
}

/** No more than was said to be there, though there may be more by now. */
export async function readStart(path: string, length: number): Promise<Buffer> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}
