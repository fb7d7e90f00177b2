import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { setTimeout } from 'node:timers'
import { Script } from 'node:vm'
import { started } from '../../base/started.js'
import { CodeCache, type ModuleFunction, moduleParameters } from './code-cache.js'

/** Milliseconds from the start of a cluster until the compiled code is saved: a test has made its first requests by then. */
const saveAfter = 250

/** All entry points of the package load their modules through this map, so that there is one copy of each module. */
const loaded = new Map<string, { readonly exports: object }>()
const cache = new CodeCache({ folder: join(__dirname, '..', '..', 'compiled'), purpose: 'library' })

/**
 * Loads a part of the package through the code cache. Parts are CommonJS files beside this one, built by tools/library.ts. `requirePart`
 * loads the same part with Node's `require`: the only way if a user has bundled the package, or if a test runner gives each test file its own
 * globals.
 */
export function loadLibraryPart<Exports>(name: string, requirePart: () => Exports): Exports {
  const isBundled = basename(__filename) !== 'library-loader.cjs'
  return isBundled || !hasUsualGlobals() ? requirePart() : (load(join(__dirname, name)) as Exports)
}

function hasUsualGlobals(): boolean {
  return new Script('Error').runInThisContext() === Error
}

function load(filename: string): object {
  const before = loaded.get(filename)
  if (before) return before.exports
  if (loaded.size === 0) scheduleSave()
  const module = { exports: {} }
  loaded.set(filename, module)
  const script = cache.compile(filename, readFileSync(filename, 'latin1'), {
    before: `(function (${moduleParameters}) {`,
    after: '\n})',
  })
  const run = script.runInThisContext() as ModuleFunction
  run.call(module.exports, module.exports, requireOf(filename), module, filename, dirname(filename))
  return module.exports
}

/** Returns a `require` that loads other parts through the cache as well. */
function requireOf(filename: string): (id: string) => unknown {
  const require = createRequire(filename)
  return (id) => (id.startsWith('./') ? load(join(dirname(filename), id)) : require(id))
}

/** Saves the compiled code soon after the start of a cluster, because test runners kill their processes, and at exit. */
function scheduleSave(): void {
  const save = () => cache.save()
  const soon = () => {
    started.unsubscribe(soon)
    if (!cache.isComplete) setTimeout(save, saveAfter).unref()
  }
  started.subscribe(soon)
  process.once('exit', save)
}
