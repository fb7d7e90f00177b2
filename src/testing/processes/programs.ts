import { delimiter } from 'node:path'
import { findProgram } from '../../base/programs.js'

/** Returns why a test that needs a program is skipped, or false if the program exists. For `{ skip: programMissing('curl') }`. */
export function programMissing(program: string): string | false {
  const folders = (process.env.PATH ?? '').split(delimiter)
  return findProgram(program, folders) === undefined ? `there is no ${program} on the PATH` : false
}
