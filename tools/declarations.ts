import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { moduleLists, modulesOf } from './module-lists.js'

/** A module of src/api/ that users of the package can import. */
export interface PublicModule {
  /** `core/v1/pod` */
  readonly path: string
  /** `core/v1` */
  readonly version: string
}

/** Returns the modules that declare types. The others validate, set defaults and convert, which only a server needs. */
export function publicModules(root: string): PublicModule[] {
  return modulesOf(root, moduleLists[0]!)
    .filter((path) => declaresType(readFileSync(join(root, 'src/api', path), 'utf8')))
    .map((path) => ({ path: path.slice(0, -'.ts'.length), version: path.split('/').slice(0, 2).join('/') }))
}

/** Whether the text has a declaration such as `export const Pod = kind(…)`. */
function declaresType(text: string): boolean {
  return /^export const [A-Z]\w* = \w+\(/m.test(text)
}
