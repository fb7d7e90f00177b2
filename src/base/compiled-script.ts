import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import { Script } from 'node:vm'

/** A script of one file, and what it exports. */
export interface CompiledScript<Exports> {
  readonly script: Script
  readonly exports: Exports
}

/** In which Node's compiler left a script when it was built. */
export const compiledForm = (filename: string) => `${filename}.compiled`

/** With the parameters of a module of CommonJS. */
type Body = (
  ...parts: readonly [exports: object, require: NodeJS.Require, module: object, filename: string, folder: string]
) => void

/**
 * Loads a script in the form into which Node compiled it when it was built. Where another Node runs it, that compiles it anew. What
 * stands in the file, in ASCII, is one function; `load` is given to it as `require`.
 */
export function loadCompiled<Exports>(
  filename: string,
  load: NodeJS.Require = createRequire(filename),
): CompiledScript<Exports> {
  const script = new Script(readFileSync(filename, 'latin1'), {
    filename,
    cachedData: readIfThere(compiledForm(filename)),
  })
  const module = { exports: {} as Exports & object }
  const body = script.runInThisContext() as Body
  body.call(module.exports, module.exports, load, module, filename, dirname(filename))
  return { script, exports: module.exports }
}

function readIfThere(path: string): Buffer | undefined {
  try {
    return readFileSync(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
