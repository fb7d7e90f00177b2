import { resolve } from 'node:path'
import { fileError } from '../../client/file-error.js'
import type { HostAccess } from '../../client/host-access.js'

/** The content of a certificate or key, as a kubeconfig holds it. */
export async function embedded(machine: HostAccess, what: string, path: string): Promise<string> {
  try {
    return Buffer.from(await machine.files.read(resolve(machine.workingDirectory, path))).toString('base64')
  } catch (error) {
    const why = fileError('stat', path, error).message
    throw new Error(`could not stat ${what} file ${path}: ${why}`, { cause: error })
  }
}
