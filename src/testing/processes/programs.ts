import { delimiter } from 'node:path'
import { findProgram } from '../../base/programs.js'

/** Why a test that needs a program must be skipped; false where the program is there. For `{ skip: missing('curl') }`. */
export function programMissing(program: string): string | false {
  const folders = (process.env.PATH ?? '').split(delimiter)
  return findProgram(program, folders) === undefined ? `there is no ${program} on the PATH` : false
}
