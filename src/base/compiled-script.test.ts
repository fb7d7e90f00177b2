import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { compiledForm, loadCompiled } from './compiled-script.js'

const folder = mkdtempSync(join(tmpdir(), 'proa-script-'))
after(() => rmSync(folder, { recursive: true }))
const filename = join(folder, 'it.script')
writeFileSync(
  filename,
  `(function (exports, require, module, __filename, __dirname) {
     exports.answer = () => 42
     exports.name = require('node:path').basename(__filename)
   })`,
)

/** In a process of its own: one that has compiled a script before asks for no other form of it. */
function loadedElsewhere(): unknown {
  const library = new URL('compiled-script.js', import.meta.url).href
  const program = `
    const { loadCompiled } = await import(${JSON.stringify(library)})
    const { script, exports } = loadCompiled(${JSON.stringify(filename)})
    console.log(JSON.stringify([script.cachedDataRejected, exports.answer()]))`
  return JSON.parse(execFileSync(process.execPath, ['--input-type=module', '--eval', program], { encoding: 'utf8' }))
}

test('a script is loaded as it is where no compiled form of it was kept', () => {
  const { exports } = loadCompiled<{ answer(): number; name: string }>(filename)
  assert.deepEqual([exports.answer(), exports.name], [42, 'it.script'])
})

test('and in its compiled form where there is one', () => {
  writeFileSync(compiledForm(filename), loadCompiled(filename).script.createCachedData())
  assert.deepEqual(loadedElsewhere(), [false, 42])
})

test('what is no compiled form, or that of another Node, is passed over', () => {
  writeFileSync(compiledForm(filename), Buffer.from('this is no compiled script'))
  assert.deepEqual(loadedElsewhere(), [true, 42])
})
