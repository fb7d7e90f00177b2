import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { NetworkConfiguration } from './network-configuration.js'

const configurationFile = '10-proa.conflist'
/** The file names that runtimes read as configurations. */
const configurationPattern = /\.(conf|conflist|json)$/

export type PlacementResult = 'written' | 'unchanged' | 'foreign'

/**
 * Writes the configuration atomically to the folder that the runtime reads. If the folder has a configuration of another program, that one
 * takes precedence: ours is removed, and the result is `foreign`.
 */
export async function placeConfiguration(folder: string, network: NetworkConfiguration): Promise<PlacementResult> {
  await mkdir(folder, { recursive: true })
  const file = join(folder, configurationFile)
  if (await isForeign(folder)) {
    await rm(file, { force: true })
    return 'foreign'
  }
  const text = `${JSON.stringify(network, undefined, 2)}\n`
  if ((await readOwnConfiguration(folder)) === text) return 'unchanged'
  // The runtime watches the folder and ignores files with this suffix.
  const temporary = join(folder, `.${configurationFile}.tmp`)
  await writeFile(temporary, text, { mode: 0o644 })
  await rename(temporary, file)
  return 'written'
}

async function isForeign(folder: string): Promise<boolean> {
  return (await readdir(folder)).some((name) => configurationPattern.test(name) && name !== configurationFile)
}

/** Returns the text of our configuration; undefined if there is none. */
export async function readOwnConfiguration(folder: string): Promise<string | undefined> {
  return readFile(join(folder, configurationFile), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
}

export async function removeOwnConfiguration(folder: string): Promise<void> {
  await rm(join(folder, configurationFile), { force: true })
}
