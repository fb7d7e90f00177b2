import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeFolder } from '../temporary-folders.js'

/** The administrator's token, which every API server of a test accepts. */
export const adminToken = 'admin-of-the-test'

export interface ServerFolder {
  readonly path: string
  readonly tokenFile: string
}

export interface ServerFolderOptions {
  /** Default: a new temporary folder. */
  readonly path?: string | undefined
  /** Further tokens, as lines of a token file: `token,user,uid,"group1,group2"`. */
  readonly tokens?: readonly string[] | undefined
}

/** Creates the data folder of a server, with its token file. */
export function createServerFolder({ path, tokens = [] }: ServerFolderOptions = {}): ServerFolder {
  const folder = path ?? makeFolder('server')
  mkdirSync(folder, { recursive: true })
  const tokenFile = join(folder, 'tokens.csv')
  writeFileSync(tokenFile, [`${adminToken},admin,admin,"system:masters"`, ...tokens, ''].join('\n'), { mode: 0o600 })
  return { path: folder, tokenFile }
}
