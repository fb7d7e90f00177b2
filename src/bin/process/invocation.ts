import { isAbsolute, join, normalize } from 'node:path'
import type { ProcessVariables } from '../../base/flags/flags.js'
import { isExecutable } from '../../base/programs.js'

/** A word as a shell reads it. */
export function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}

/**
 * How to call this program again. The script `proa` says how it was called itself; npm puts it on a PATH that the user's shell does not
 * have.
 */
export function proaCommand(variables: ProcessVariables = process.env): string {
  const { PROA_CALLED_AS: called, PATH = '', npm_command: npm } = variables
  if (called === undefined) return [process.argv0, process.argv[1] ?? ''].map(quoted).join(' ')
  if (npm !== undefined && /\/node_modules\/\.bin\/[^/]+$/.test(called)) return 'npx proa'
  if (!called.includes('/')) return `./${quoted(called)}`
  const onPath = PATH.split(':')
    .filter(isAbsolute)
    .map((folder) => join(folder, 'proa'))
  return onPath.find(isExecutable) === normalize(called) ? 'proa' : quoted(called)
}
