import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { setTimeout } from 'node:timers'
import { Script } from 'node:vm'
import { started } from '../../base/started.js'
import { CodeCache, type ModuleFunction, moduleParameters } from './code-cache.js'

/** How long after a start the code is kept, in milliseconds: a test makes its first requests by then. */
const saveAfter = 250

/** All entry points of the package get their modules from here, so that there is one copy of each module. */
const loaded = new Map<string, { readonly exports: object }>()
const cache = new CodeCache({ folder: join(__dirname, '..', '..', 'compiled'), purpose: 'library' })

/**
 * Loads a part of the package (tools/library.ts makes them: CommonJS files beside this one) through the code cache. `plainly` loads the
 * same part by Node's own `require`. That is the only way in a bundle that somebody else has made of the package, and in a test runner
 * that gives each test file globals of its own.
 */
export function loadLibraryPart<Exports>(name: string, plainly: () => Exports): Exports {
  const isBundled = basename(__filename) !== 'library-loader.cjs'
  return isBundled || !hasUsualGlobals() ? plainly() : (load(join(__dirname, name)) as Exports)
}

function hasUsualGlobals(): boolean {
  return new Script('Error').runInThisContext() === Error
}

function load(filename: string): object {
  const before = loaded.get(filename)
  if (before) return before.exports
  if (loaded.size === 0) saveInTime()
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

/** Parts load each other through the cache, too. */
function requireOf(filename: string): (id: string) => unknown {
  const require = createRequire(filename)
  return (id) => (id.startsWith('./') ? load(join(dirname(filename), id)) : require(id))
}

/** At the latest when the process ends; test runners kill theirs. */
function saveInTime(): void {
  const save = () => cache.save()
  const soon = () => {
    started.unsubscribe(soon)
    if (!cache.isComplete) setTimeout(save, saveAfter).unref()
  }
  started.subscribe(soon)
  process.once('exit', save)
}
