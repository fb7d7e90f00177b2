import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { NetworkConfiguration } from './network-configuration.js'

const ourFile = '10-proa.conflist'
/** What runtimes take for a configuration. */
const configuration = /\.(conf|conflist|json)$/

export type Placed = 'written' | 'unchanged' | 'foreign'

/**
 * Writes the network's configuration where the runtime looks for it, at one stroke. If somebody else has put one there it is theirs that
 * counts: `foreign`, and ours is taken away.
 */
export async function placeConfiguration(folder: string, network: NetworkConfiguration): Promise<Placed> {
  await mkdir(folder, { recursive: true })
  const place = join(folder, ourFile)
  if (await isForeign(folder)) {
    await rm(place, { force: true })
    return 'foreign'
  }
  const text = `${JSON.stringify(network, undefined, 2)}\n`
  if ((await readConfiguration(folder)) === text) return 'unchanged'
  // The runtime watches the folder, and takes no notice of names that end like this.
  const temporary = join(folder, `.${ourFile}.tmp`)
  await writeFile(temporary, text, { mode: 0o644 })
  await rename(temporary, place)
  return 'written'
}

async function isForeign(folder: string): Promise<boolean> {
  return (await readdir(folder)).some((name) => configuration.test(name) && name !== ourFile)
}

/** The text of ours, if it is there. */
export async function readConfiguration(folder: string): Promise<string | undefined> {
  return readFile(join(folder, ourFile), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
}

export async function removeConfiguration(folder: string): Promise<void> {
  await rm(join(folder, ourFile), { force: true })
}
