import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Where administrators' programs are, which a user's PATH often lacks. */
const usualFolders = ['/usr/local/sbin', '/usr/local/bin', '/usr/sbin', '/usr/bin', '/sbin', '/bin']

/** Where programs are looked for: those of the PATH first. */
export function programFolders(path = process.env.PATH ?? ''): readonly string[] {
  return [...path.split(delimiter).filter(Boolean), ...usualFolders]
}

/** Undefined if the machine does not have it. */
export function findProgram(name: string, folders = programFolders()): string | undefined {
  return folders.map((folder) => join(folder, name)).find(isExecutable)
}

export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false // which is the answer
  }
}
