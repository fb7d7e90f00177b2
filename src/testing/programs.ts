import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Why a test that needs a program must be skipped; false where the program is there. For `{ skip: missing('curl') }`. */
export function missing(program: string): string | false {
  const folders = (process.env.PATH ?? '').split(delimiter)
  return folders.some((folder) => isExecutable(join(folder, program))) ? false : `there is no ${program} on the PATH`
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
