import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { moduleLists, searchedFolders, writeModuleLists } from './module-lists.js'

function checkoutWith(context: TestContext, ...files: readonly string[]): string {
  const root = mkdtempSync(join(tmpdir(), 'proa-modules-'))
  context.after(() => rmSync(root, { recursive: true }))
  for (const { file } of moduleLists) mkdirSync(join(root, dirname(file)), { recursive: true })
  for (const file of files) {
    mkdirSync(join(root, dirname(file)), { recursive: true })
    writeFileSync(join(root, file), '')
  }
  return root
}

const importsIn = (root: string, file: string) =>
  [...readFileSync(join(root, file), 'utf8').matchAll(/from '\.\/(.*)'/g)].map(([, path]) => path)

test('a new file or folder is listed without being registered', (context) => {
  const root = checkoutWith(
    context,
    'src/api/errors.ts',
    'src/api/toys/v1/boat.ts',
    'src/api/toys/v1/boat/strategy.ts',
    'src/api/toys/v1/boat/strategy.test.ts',
    'src/scheduler/plugins/toy.ts',
    'src/scheduler/plugins/toy-folder/plugin.ts',
    'src/scheduler/plugins/registry.ts',
    'src/scheduler/plugins/toy.test.kit.ts',
    'src/apiserver/admission/registry.ts',
    'src/apiserver/admission/plugins/toy.ts',
    'src/apiserver/admission/toy-folder/plugin.ts',
    'src/apiserver/admission/toy-folder/check.ts',
    'src/controllers/toy/controller.ts',
    'src/controllers/toy/decide.ts',
    'src/controllers/manager.ts',
  )
  writeModuleLists(root)
  assert.deepEqual(importsIn(root, 'src/api/declarations.ts'), ['toys/v1/boat.js', 'toys/v1/boat/strategy.js'])
  assert.deepEqual(importsIn(root, 'src/scheduler/plugins/declarations.ts'), ['toy-folder/plugin.js', 'toy.js'])
  assert.deepEqual(importsIn(root, 'src/apiserver/admission/definitions.ts'), [
    'definition.js',
    'plugins/toy.js',
    'toy-folder/plugin.js',
  ])
  assert.deepEqual(importsIn(root, 'src/controllers/definitions.ts'), ['toy/controller.js'])
})

test('an unchanged list is not written again, so that nothing is built for it', (context) => {
  const root = checkoutWith(context, 'src/controllers/toy/controller.ts')
  const modified = () => moduleLists.map(({ file }) => statSync(join(root, file)).mtimeMs)
  writeModuleLists(root)
  const before = modified()
  writeModuleLists(root)
  assert.deepEqual(modified(), before)
})

test('the folders of a list are those in which a new file would belong to it', (context) => {
  const root = checkoutWith(context, 'src/api/toys/v1/boat/strategy.ts')
  assert.deepEqual(searchedFolders(root, moduleLists[0]!), [
    'src/api',
    'src/api/toys',
    'src/api/toys/v1',
    'src/api/toys/v1/boat',
  ])
})
