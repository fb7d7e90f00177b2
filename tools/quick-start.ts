/**
 * Loads kubectl.cjs beside it, in the form into which Node compiled it when it was built. Where another Node runs it, that compiles it
 * anew. Called as a program, it writes that form.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Script } from 'node:vm'

const filename = fileURLToPath(new URL('kubectl.cjs', import.meta.url))
const compiled = `${filename}.compiled`
const isBuilding = process.argv[1] === fileURLToPath(import.meta.url)

function compiledForm(): Buffer | undefined {
  try {
    return isBuilding ? undefined : readFileSync(compiled)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

const source = `(function (exports, require, module, __filename, __dirname) { ${readFileSync(filename, 'utf8')}\n})`
const script = new Script(source, { filename, cachedData: compiledForm() })
const module = { exports: {} as typeof import('../src/bin/kubectl.js') }
const load = createRequire(filename)
script.runInThisContext().call(module.exports, module.exports, load, module, filename, dirname(filename))

export const { kubectlCommand, isKubectlCommand } = module.exports

// After a call that finds no server, whatever every command needs has been compiled, and is kept.
if (isBuilding) {
  const silent = { write: (_: unknown, done?: () => void) => done?.() }
  for (const name of ['stdout', 'stderr']) Object.defineProperty(process, name, { value: silent })
  process.env.KUBECONFIG = '/dev/null'
  await kubectlCommand(['get', 'pods', '--server=https://127.0.0.1:9', '--cache-dir=/dev/null'])
  writeFileSync(compiled, script.createCachedData())
}
