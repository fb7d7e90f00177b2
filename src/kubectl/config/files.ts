import { resolve } from 'node:path'
import { fileError } from '../../client/file-error.js'
import type { Machine } from '../../client/machine.js'

/** The content of a certificate or key, as a kubeconfig holds it. */
export async function embedded(machine: Machine, what: string, path: string): Promise<string> {
  try {
    return Buffer.from(await machine.files.read(resolve(machine.folder, path))).toString('base64')
  } catch (error) {
    const why = fileError('stat', path, error).message
    throw new Error(`could not stat ${what} file ${path}: ${why}`, { cause: error })
  }
}
