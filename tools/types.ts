import { readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { publicModules } from './declarations.js'
import { OutputFolder } from './output.js'

/**
 * Copies the type declarations of the entry points, and those that they import, from dist/src/ to dist/types/. They are marked as CommonJS, as
 * the code is, so that CommonJS and ES modules can import them.
 */
export function buildTypes(root: string): void {
  const kinds = publicModules(root)
  const entries = ['client/index', 'controllers/index', 'testing/index', ...kinds.map(({ path }) => `api/${path}`)]
  const folder = new OutputFolder(join(root, 'dist/types'))
  for (const [path, text] of withImports(join(root, 'dist/src'), entries)) folder.write(`${path}.d.ts`, text)
  for (const version of new Set(kinds.map((kind) => kind.version))) {
    const paths = kinds
      .filter((kind) => kind.version === version)
      .map(({ path }) => path.slice(dirname(version).length + 1))
    folder.write(`api/${version}.d.ts`, paths.map((path) => `export * from './${path}.js'\n`).join(''))
  }
  folder.write('package.json', '{ "type": "commonjs" }\n')
  folder.removeOthers()
}

function withImports(folder: string, entries: readonly string[]): Map<string, string> {
  const found = new Map<string, string>()
  const visit = (path: string) => {
    if (found.has(path)) return
    const text = readFileSync(join(folder, `${path}.d.ts`), 'utf8')
    found.set(path, text)
    for (const [, imported] of text.matchAll(/\b(?:from |import\()['"](\.[^'"]+)\.js['"]/g))
      visit(normalize(join(dirname(path), imported!)))
  }
  for (const entry of entries) visit(entry)
  return found
}
