import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, test } from 'node:test'

let folder: string
let filename: string
let compiled: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'proa-script-'))
  filename = join(folder, 'it.script')
  compiled = join(folder, 'compiled')
  writeScript('0123456789abcdef', 42)
})
afterEach(() => rmSync(folder, { recursive: true }))

function writeScript(hash: string, answer: number): void {
  writeFileSync(
    filename,
    `//${hash}
(function (exports, require, module, __filename, __dirname) {
  exports.answer = () => ${answer}
  exports.name = require('node:path').basename(__filename)
})`,
  )
}

interface LoadOptions {
  readonly flags?: readonly string[]
  readonly env?: NodeJS.ProcessEnv
  readonly before?: string
}

/** Loads the script in a process of its own, as V8 keeps compiled scripts within a process. Tells whether the cache had all of it. */
function load({ flags = [], env = {}, before = '' }: LoadOptions = {}): unknown {
  const library = new URL('code-cache.js', import.meta.url).href
  const program = `
    import { createRequire } from 'node:module'
    ${before}
    const { CodeCache, loadScript } = await import(${JSON.stringify(library)})
    const cache = new CodeCache({ folder: ${JSON.stringify(compiled)}, purpose: 'test' })
    const { answer, name } = loadScript(${JSON.stringify(filename)}, createRequire(import.meta.url), cache)
    console.log(JSON.stringify({ answer: answer(), name, wasCached: cache.isComplete }))
    cache.save()`
  const { NODE_V8_COVERAGE: _, ...usual } = process.env
  const args = [...flags, '--input-type=module', '--eval', program]
  const home = { HOME: folder, XDG_CACHE_HOME: '' }
  return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8', env: { ...usual, ...home, ...env } }))
}

const uncached = { answer: 42, name: 'it.script', wasCached: false }
const cached = { ...uncached, wasCached: true }

test('the second process finds the code that the first one has compiled', () => {
  assert.deepEqual([load(), load()], [uncached, cached])
})

test('code of another script of the same length is not used', () => {
  load()
  writeScript('fedcba9876543210', 23)
  assert.deepEqual(load(), { ...uncached, answer: 23 })
})

test('a file that V8 rejects is replaced', () => {
  load()
  for (const name of readdirSync(compiled)) writeFileSync(join(compiled, name), 'this is no code')
  assert.deepEqual([load(), load()], [uncached, cached])
})

test('processes with other flags have code of their own', () => {
  const flags = ['--no-opt']
  assert.deepEqual([load(), load({ flags }), load(), load({ flags })], [uncached, uncached, cached, cached])
})

test('code with the counters of a coverage tool is not kept', () => {
  assert.deepEqual(load({ env: { NODE_V8_COVERAGE: join(folder, 'coverage') } }), uncached)
  assert.deepEqual(load({ before: "import 'node:inspector'" }), uncached)
  assert.equal(existsSync(compiled), false)
})

test("where the folder cannot be written, the code is kept in the user's cache folder", () => {
  writeFileSync(compiled, 'a file, so that no folder can be made')
  assert.deepEqual([load(), load()], [uncached, cached])
  assert.equal(readdirSync(join(folder, '.cache/proa/compiled')).length, 1)
})

test('a script runs where no code can be kept at all', () => {
  writeFileSync(compiled, '')
  writeFileSync(join(folder, '.cache'), '')
  assert.deepEqual([load(), load()], [uncached, uncached])
})
