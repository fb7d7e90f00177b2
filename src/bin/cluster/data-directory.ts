import { homedir } from 'node:os'
import { join } from 'node:path'
import type { ProcessVariables } from '../../base/flags/flags.js'

/** The name of a cluster for which the user gives no name. */
export const defaultName = 'proa'

/** The data directory of a cluster without `--data-dir`. Each user of a machine has their own. */
export function defaultDataDirectory(name: string = defaultName, variables: ProcessVariables = process.env): string {
  const folder = name === defaultName ? 'proa' : `proa-${name}`
  return join(defaultParentDirectory(variables), folder)
}

/** The directory that holds all usual data directories of this user. */
export function defaultParentDirectory(variables: ProcessVariables = process.env): string {
  if (process.getuid?.() === 0) return rootParentDirectory
  return variables.XDG_DATA_HOME || join(homedir(), '.local', 'share')
}

/** The directory that holds the usual data directories of root. */
export const rootParentDirectory = '/var/lib'
