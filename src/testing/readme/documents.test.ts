import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { repository } from './fresh-clone.test.kit.js'
import { kubectlGap } from './kubectl-gap.js'
import { namedFiles, shellLines, withoutRemark } from './marked-lines.js'

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

test('the README lists all commands and flags of kubectl v1.36 that ours lacks, and no others', async () => {
  const readme = readFileSync(join(repository, 'README.md'), 'utf8')
  const paragraph = /^\*\*Proa's kubectl lacks\*\*.*?\n\n/ms.exec(readme)?.[0] ?? assert.fail('the list is missing')
  const listed = [...paragraph.matchAll(/`([^`]+)`/g)].map((match) => match[1]!)
  assert.deepEqual(listed.sort(), [...(await kubectlGap(repository))].sort())
})

describe('the reader of documents', () => {
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
