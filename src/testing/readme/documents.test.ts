import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { repository } from './fresh-clone.test.kit.js'
import { ImportGraph, importsIn } from './import-graph.js'
import { kubectlGap } from './kubectl-gap.js'
import { chapters, namedFiles, shellLines, withoutRemark } from './marked-lines.js'

const documents = [
  'README.md',
  'CONTRIBUTING.md',
  ...readdirSync(join(repository, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => `docs/${file}`),
]

describe('what is written about this repository', () => {
  for (const document of documents)
    test(`${document} names only what is there`, () => {
      const text = readFileSync(join(repository, document), 'utf8')
      const folder = document.slice(0, document.lastIndexOf('/') + 1)
      for (const { path, symbol } of namedFiles(text, folder)) {
        assert.ok(existsSync(join(repository, path)), path)
        if (symbol === undefined) continue
        const source = readFileSync(join(repository, path), 'utf8')
        assert.match(source, new RegExp(`\\b(function\\*?|class|const) ${symbol}\\b`), `${symbol} in ${path}`)
      }
    })

  test('every folder of src has a chapter in the README and in the story', () => {
    const readme = readFileSync(join(repository, 'README.md'), 'utf8')
    const story = readFileSync(join(repository, 'docs/what-happens-when.md'), 'utf8')
    const aside = ['schema', 'wire', 'testing'] // what the story stands on, and does not pass
    for (const folder of readdirSync(join(repository, 'src'))) {
      assert.ok(readme.includes(`\`${folder}/\``), `README.md does not name ${folder}`)
      if (!aside.includes(folder))
        assert.ok(story.includes(`\`src/${folder}/`), `the story does not pass src/${folder}`)
    }
  })
})

describe('docs/what-happens-when.md', () => {
  const graph = new ImportGraph(repository)
  for (const { title, entries, text } of chapters(readFileSync(join(repository, 'docs/what-happens-when.md'), 'utf8')))
    test(`${title}: its programs import every file and call every function that it names`, () => {
      assert.ok(entries.length > 0, 'say where the chapter starts: <!-- starts at src/bin/kubectl/kubectl.ts -->')
      const reached = graph.reachedFrom(entries)
      for (const { path, symbol } of namedFiles(text)) {
        if (path.startsWith('examples/')) continue
        if (path.endsWith('/'))
          assert.ok(
            [...reached.keys()].some((file) => file.startsWith(path)),
            path,
          )
        else if (path.endsWith('.ts'))
          assert.ok(reached.has(path) || graph.isImportedBy(path, reached.keys()), `nothing here imports ${path}`)
        if (symbol === undefined) continue
        const names = reached.get(path)
        const uses = readFileSync(join(repository, path), 'utf8').match(new RegExp(`\\b${symbol}\\b`, 'g'))
        const isUsed = (reached.has(path) && (names === undefined || names.has(symbol))) || (uses?.length ?? 0) > 1
        assert.ok(isUsed, `nothing here uses ${symbol} of ${path}`)
      }
    })
})

test('the README lists all commands and flags of kubectl v1.36 that ours lacks, and no others', async () => {
  const readme = readFileSync(join(repository, 'README.md'), 'utf8')
  const paragraph = /^\*\*Proa's kubectl lacks\*\*.*?\n\n/ms.exec(readme)?.[0] ?? assert.fail('the list is missing')
  const listed = [...paragraph.matchAll(/`([^`]+)`/g)].map((match) => match[1]!)
  assert.deepEqual(listed.sort(), [...(await kubectlGap(repository))].sort())
})

describe('the reader of documents', () => {
  test('splits a document into chapters, each with the files where it starts', () => {
    const document = '# A\n\n## B\n\n<!-- starts at src/a.ts, src/b.ts -->\n\nText\n\n### C\n\nMore\n\n## D\n'
    assert.deepEqual(
      chapters(document).map(({ title, entries }) => [title, ...entries]),
      [['B', 'src/a.ts', 'src/b.ts'], ['C', 'src/a.ts', 'src/b.ts'], ['D']],
    )
  })

  test('finds what a source imports, and which imports are types only', () => {
    const source = [
      `import type { A } from './a.js'`,
      `import { b, type B, c as d } from '../b.js'`,
      `import {\n  type E,\n} from './e.js'`,
      `export * from './f.js'`,
      `const g = (await import('./g.js')).h`,
      `const { i, j: k } = await import('./i.js')`,
      `load(() => import('./l.js'))`,
    ]
    assert.deepEqual(importsIn(source.join('\n'), 'src/x/y.ts'), [
      { target: 'src/x/a.ts', names: ['A'], isValue: false },
      { target: 'src/b.ts', names: ['b', 'c'], isValue: true },
      { target: 'src/x/e.ts', names: [], isValue: false },
      { target: 'src/x/f.ts', names: undefined, isValue: true },
      { target: 'src/x/g.ts', names: ['h'], isValue: true },
      { target: 'src/x/i.ts', names: ['i', 'j'], isValue: true },
      { target: 'src/x/l.ts', names: undefined, isValue: true },
    ])
  })

  test('finds the lines of shell, and leaves out their remarks', () => {
    const document = 'Type\n\n```sh\na --b   # why\n\nc "#d"\n```\n\n```ts\nnot()\n```\n'
    assert.deepEqual(shellLines(document).map(withoutRemark), ['a --b', 'c "#d"'])
  })

  test('finds files, folders, symbols and links', () => {
    const document = 'See `src/a.ts#b`, `docs/` and [c](d.md), not `x` or [e](https://e.example).'
    assert.deepEqual(namedFiles(document, 'docs/'), [
      { path: 'src/a.ts', symbol: 'b' },
      { path: 'docs/', symbol: undefined },
      { path: 'docs/d.md', symbol: undefined },
    ])
  })
})
