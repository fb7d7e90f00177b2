import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'

function folderWith(context: TestContext, ...files: readonly string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'proa-modules-'))
  context.after(() => rmSync(folder, { recursive: true }))
  for (const file of files) {
    mkdirSync(join(folder, file, '..'), { recursive: true })
    writeFileSync(join(folder, file), '')
  }
  return folder
}

function list(folder: string): string {
  const collector = '../framework/declaration.js#pluginsIn'
  execFileSync('sh', ['tools/list-modules.sh', folder, '1', collector, 'plugins', 'Every plugin.'])
  return readFileSync(join(folder, 'declarations.ts'), 'utf8')
}

test('a new file or folder is listed without being registered', (context) => {
  const folder = folderWith(context, 'old.ts', 'toy.ts', 'toy.test.ts', 'toy-folder/plugin.ts', 'kit.test.kit.ts')
  assert.equal(
    list(folder),
    `// Written by tools/list-modules.sh. Do not edit.
import { pluginsIn } from '../framework/declaration.js'
import * as m1 from './old.js'
import * as m2 from './toy-folder/plugin.js'
import * as m3 from './toy.js'

/** Every plugin. */
export const plugins = pluginsIn([
  m1,
  m2,
  m3,
])
`,
  )
})

test('an unchanged list is not written again, so that it does not trigger a build', (context) => {
  const folder = folderWith(context, 'one.ts')
  list(folder)
  const before = statSync(join(folder, 'declarations.ts')).mtimeMs
  const folderBefore = statSync(folder).mtimeMs
  list(folder)
  assert.equal(statSync(join(folder, 'declarations.ts')).mtimeMs, before)
  assert.equal(statSync(folder).mtimeMs, folderBefore)
})
