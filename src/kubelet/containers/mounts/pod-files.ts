import { chmod, lstat, mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Random } from '../../../base/random.js'
import { quote } from '../../../schema/quote.js'
import { readStart } from './volume-text-file.js'

/** Path below the pod's logs folder. */
export function containerLog(container: string, restartCount: number): string {
  return `${container}/${restartCount}.log`
}

export async function createLogsFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o755 })
}

/** Writes the file in place, because running containers have it mounted, and only if its content changes. */
export async function writeHostsFile(folder: string, text: string): Promise<string> {
  await mkdir(folder, { recursive: true, mode: 0o750 })
  const path = join(folder, 'etc-hosts')
  if (await hasContent(path, Buffer.from(text))) return path
  await writeFile(path, text, { mode: 0o644 })
  await chmod(path, 0o644)
  return path
}

/** Containers can write to the file: reads no more than the expected length. Removes anything that is not a regular file. */
async function hasContent(path: string, wanted: Buffer): Promise<boolean> {
  const present = await lstat(path).catch(unlessMissing)
  if (present?.isFile() && present.size === wanted.length) return (await readStart(path, wanted.length)).equals(wanted)
  if (present && !present.isFile()) await rm(path, { recursive: true })
  return false
}

/** Creates a new file for each container, because the message of an earlier one is still read. */
export async function createTerminationLog(folder: string, container: string, random: Random): Promise<string> {
  const parent = join(folder, 'containers', container)
  const path = join(
    parent,
    random
      .integer(2 ** 32)
      .toString(16)
      .padStart(8, '0'),
  )
  try {
    await mkdir(parent, { recursive: true, mode: 0o750 })
    await writeFile(path, '')
    // Any user may write to it, whatever the umask of this process.
    await chmod(path, 0o666)
  } catch (error) {
    throw new Error(`error on creating termination-log file ${quote(path)}: ${(error as Error).message}`, {
      cause: error,
    })
  }
  return path
}

function unlessMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}
