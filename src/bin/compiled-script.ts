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

/**
 * Loads a script of CommonJS, written in ASCII, in the form into which Node compiled it when it was built. Where another Node runs it,
 * that compiles it anew.
 */
export function loadCompiled<Exports>(filename: string): CompiledScript<Exports> {
  const source = `(function (exports, require, module, __filename, __dirname) { ${readFileSync(filename, 'latin1')}\n})`
  const script = new Script(source, { filename, cachedData: readIfThere(compiledForm(filename)) })
  const module = { exports: {} as Exports }
  const load = createRequire(filename)
  script.runInThisContext().call(module.exports, module.exports, load, module, filename, dirname(filename))
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
