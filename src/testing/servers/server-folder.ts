import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeFolder } from '../temporary-folders.js'

/** Who may do everything: the token that every API server of a test accepts. */
export const adminToken = 'admin-of-the-test'

export interface ServerFolder {
  readonly path: string
  readonly tokenFile: string
}

export interface ServerFolderOptions {
  /** A new one among the temporary folders unless told. */
  readonly path?: string | undefined
  /** Further tokens, as lines of a token file: `token,user,uid,"group1,group2"`. */
  readonly tokens?: readonly string[] | undefined
}

/** A folder for a server and what it must be told in files. */
export function createServerFolder({ path, tokens = [] }: ServerFolderOptions = {}): ServerFolder {
  const folder = path ?? makeFolder('server')
  mkdirSync(folder, { recursive: true })
  const tokenFile = join(folder, 'tokens.csv')
  writeFileSync(tokenFile, [`${adminToken},admin,admin,"system:masters"`, ...tokens, ''].join('\n'), { mode: 0o600 })
  return { path: folder, tokenFile }
}
