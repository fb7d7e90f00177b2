import { readdir, readFile, stat } from 'node:fs/promises'
import { isIP } from 'node:net'
import { join } from 'node:path'

/** An address that the plugin has given away, as it has written it down. */
export interface AddressRecord {
  readonly address: string
  /** The sandbox that has it. */
  readonly containerId: string
  readonly interfaceName: string
  /** Milliseconds since the epoch. */
  readonly madeAt: number
}

/** All addresses of a network that are taken. */
export async function addressRecords(addressesFolder: string, network: string): Promise<readonly AddressRecord[]> {
  const folder = join(addressesFolder, network)
  const names = await unlessGone(readdir(folder))
  const addresses = (names ?? []).filter((name) => isIP(name) !== 0) // there are a lock and a note beside them
  const records = await Promise.all(addresses.map((address) => unlessGone(readRecord(folder, address))))
  return records.filter((record) => record !== undefined)
}

async function readRecord(folder: string, address: string): Promise<AddressRecord> {
  const place = join(folder, address)
  const [text, { mtimeMs }] = await Promise.all([readFile(place, 'utf8'), stat(place)])
  const [containerId = '', interfaceName = 'eth0'] = text.trim().split(/\r?\n/)
  return { address, containerId, interfaceName, madeAt: mtimeMs }
}

/** Others take away records, and make them, at any time. */
async function unlessGone<T>(reading: Promise<T>): Promise<T | undefined> {
  return reading.catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
}
