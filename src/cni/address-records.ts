import { readdir, readFile, stat } from 'node:fs/promises'
import { isIP } from 'node:net'
import { join } from 'node:path'

/** An allocated address, as the plugin host-local stores it. */
export interface AddressRecord {
  readonly address: string
  /** The sandbox that has the address. */
  readonly containerId: string
  readonly interfaceName: string
  /** Milliseconds since the epoch. */
  readonly writtenAt: number
}

/** Returns all allocated addresses of a network. */
export async function addressRecords(addressesFolder: string, network: string): Promise<readonly AddressRecord[]> {
  const folder = join(addressesFolder, network)
  const names = await unlessGone(readdir(folder))
  const addresses = (names ?? []).filter((name) => isIP(name) !== 0) // the folder also has a lock file and the last reserved address
  const records = await Promise.all(addresses.map((address) => unlessGone(readRecord(folder, address))))
  return records.filter((record) => record !== undefined)
}

async function readRecord(folder: string, address: string): Promise<AddressRecord> {
  const file = join(folder, address)
  const [text, { mtimeMs }] = await Promise.all([readFile(file, 'utf8'), stat(file)])
  const [containerId = '', interfaceName = 'eth0'] = text.trim().split(/\r?\n/)
  return { address, containerId, interfaceName, writtenAt: mtimeMs }
}

/** Plugins create and remove records at any time. */
async function unlessGone<T>(reading: Promise<T>): Promise<T | undefined> {
  return reading.catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
}
