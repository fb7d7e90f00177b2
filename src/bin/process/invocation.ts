import { isAbsolute, join, normalize } from 'node:path'
import type { ProcessVariables } from '../../base/flags/flags.js'
import { isExecutable } from '../../base/programs.js'

/** Quotes a word for a shell, if necessary. */
export function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}

/**
 * Returns the shell words that call this program again. The script `proa` sets PROA_CALLED_AS to the way in which it was called. npm runs it
 * with a PATH that the user's shell does not have.
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
