import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { copiedEntries, matchingPaths } from './copied-entries.js'
import { FileTree, type LayerChange, type TreeEntry } from './file-tree.js'
import { ignoreRules } from './ignore-file.js'
import { findOwner } from './owner.js'
import { pathPattern } from './path-pattern.js'

const file = (path: string, more: object = {}): TreeEntry => ({
  type: 'file',
  path,
  content: Buffer.from(path),
  ...more,
})
const directory = (path: string, more: object = {}): TreeEntry => ({ type: 'directory', path, ...more })
const link = (path: string, target: string): TreeEntry => ({ type: 'link', path, target })

function tree(...entries: readonly TreeEntry[]): FileTree {
  const made = new FileTree()
  for (const entry of entries) made.add(entry)
  return made
}

describe('a path pattern', () => {
  const cases: [pattern: string, matching: string[], others: string[]][] = [
    ['a.txt', ['a.txt'], ['a-txt', 'b/a.txt']],
    ['*.txt', ['a.txt', '.txt'], ['a.txt/b', 'b/a.txt']],
    ['a?c', ['abc'], ['ac', 'a/c']],
    ['[a-c]x', ['bx'], ['dx']],
    ['[^a-c]x', ['dx'], ['bx']],
    ['a\\*', ['a*'], ['ab']],
    ['**/a', ['a', 'x/a', 'x/y/a'], ['xa', 'a/x']],
    ['a/**', ['a/x', 'a/x/y'], ['b/x']],
    ['a/**/b', ['a/b', 'a/x/y/b'], ['ab', 'a/xb']],
    ['a[', ['a['], ['ab']],
    ['a+(b)|c', ['a+(b)|c'], ['ab', 'c']],
  ]
  for (const [pattern, matching, others] of cases)
    test(pattern, () => {
      for (const path of matching) assert.match(path, pathPattern(pattern))
      for (const path of others) assert.doesNotMatch(path, pathPattern(pattern))
    })
})

describe('.dockerignore', () => {
  const cases: Readonly<Record<string, [text: string, ignored: string[], kept: string[]]>> = {
    'ignores the content of an ignored directory': [
      'node_modules',
      ['node_modules', 'node_modules/a/b'],
      ['src/node_modules'],
    ],
    'may have comments and empty lines': ['# a\n\n  b  ', ['b'], ['a', '# a']],
    'ignores leading and trailing slashes': ['/a/\n./b', ['a', 'b', 'a/x'], ['x/a']],
    'makes exceptions with an exclamation mark': ['*.md\n!README.md', ['a.md'], ['README.md', 'x/a.md']],
    'applies the last matching line': ['a\n!a/b\na/b/c', ['a', 'a/x', 'a/b/c'], ['a/b', 'a/b/x']],
    'matches any depth with two stars': ['**/*.log', ['a.log', 'x/y/a.log'], ['a.log.txt']],
    'may ignore everything': ['*\n!src', ['a', 'b/c'], ['src', 'src/a']],
  }
  for (const [name, [text, ignored, kept]] of Object.entries(cases))
    test(name, () => {
      const rules = ignoreRules(text)
      for (const path of ignored) assert.ok(rules.isIgnored(path), path)
      for (const path of kept) assert.ok(!rules.isIgnored(path), path)
    })
})

describe('a file tree', () => {
  test('results from its layers', () => {
    const layers: LayerChange[][] = [
      [directory('a', { mode: 0o700 }), file('a/x'), file('a/y'), file('b/c/d'), file('e')],
      [file('a/.wh.x'), directory('b'), file('b/.wh..wh..opq'), file('b/new'), file('.wh.e')],
      [{ type: 'hardLink', path: 'hard', target: 'b/new' }, file('a')],
    ]
    const made = new FileTree()
    const seen = layers.map((layer) => {
      made.apply(layer)
      return made.paths.sort().join(' ')
    })
    assert.deepEqual(seen, ['a a/x a/y b b/c b/c/d e', 'a a/y b b/new', 'a b b/new hard'])
    assert.equal(made.get('hard')?.type, 'file')
  })

  test('follows links inside the image', () => {
    const made = tree(
      link('lib', 'usr/lib'),
      directory('usr/lib'),
      link('usr/lib/x', '/etc'),
      link('up', '../../etc'),
      link('l', 'l'),
    )
    assert.equal(made.resolve('/lib/a'), 'usr/lib/a')
    assert.equal(made.resolve('lib/x/y'), 'etc/y')
    assert.equal(made.resolve('up/passwd'), 'etc/passwd')
    assert.equal(made.resolve('lib', { lastLink: true }), 'lib')
    assert.equal(made.resolve('/'), '')
    assert.throws(() => made.resolve('l'), /too many links/)
  })
})

describe('copying', () => {
  const source = tree(
    file('a.txt', { mode: 0o600, uid: 5, gid: 6 }),
    file('b.txt'),
    file('site/index.html'),
    file('site/css/a.css'),
    link('latest', 'a.txt'),
    link('site/home', 'index.html'),
    { type: 'special', path: 'socket' },
  )
  const image = tree(
    link('lib', 'usr/lib'),
    directory('usr/lib', { mode: 0o755 }),
    directory('app', { mode: 0o700, uid: 7, gid: 7 }),
    file('old/index.html'),
  )
  const copy = (from: readonly string[], path: string) =>
    copiedEntries(
      from.flatMap((each) => matchingPaths(source, each)),
      { source, target: image, path },
    )
      .map((entry) => entry.path)
      .sort()

  const cases: Readonly<Record<string, [sources: string[], path: string, expected: string[]]>> = {
    'a file to a new name': [['a.txt'], '/x/new', ['x', 'x/new']],
    'a file into a directory': [['a.txt'], '/x/', ['x', 'x/a.txt']],
    'a file into a directory that the image has': [['a.txt'], '/app', ['app', 'app/a.txt']],
    'the content of a directory': [['site'], '/www', ['www', 'www/css', 'www/css/a.css', 'www/home', 'www/index.html']],
    'several files': [['*.txt'], '/x/', ['x', 'x/a.txt', 'x/b.txt']],
    'a link as the source is followed': [['latest'], '/x/', ['x', 'x/latest']],
    'a link in the image is followed, and stays': [['a.txt'], '/lib/x', ['usr', 'usr/lib', 'usr/lib/x']],
    'a directory over an existing one': [
      ['site'],
      '/old',
      ['old', 'old/css', 'old/css/a.css', 'old/home', 'old/index.html'],
    ],
  }
  for (const [name, [sources, path, expected]] of Object.entries(cases))
    test(name, () => assert.deepEqual(copy(sources, path), expected))

  test('keeps or changes owner and mode', () => {
    const target = image
    const [kept] = copiedEntries(['a.txt'], { source, target, path: '/x' })
    assert.deepEqual([kept?.mode, kept?.uid, kept?.gid], [0o600, 5, 6])
    const owner = { uid: 1, gid: 2 }
    const changed = copiedEntries(['a.txt'], { source, target, path: '/new/x', owner, mode: 0o755 })
    assert.deepEqual(
      changed.map(({ path, uid, gid, mode }) => [path, uid, gid, mode]),
      [
        ['new/x', 1, 2, 0o755],
        ['new', 1, 2, undefined],
      ],
    )
  })

  test('does not change directories of the image', () => {
    const entries = copiedEntries(['a.txt'], { source, target: image, path: '/app/', owner: { uid: 1, gid: 1 } })
    assert.deepEqual(
      entries.find(({ path }) => path === 'app'),
      directory('app', { mode: 0o700, uid: 7, gid: 7 }),
    )
  })

  test('rejects invalid requests', () => {
    assert.deepEqual(matchingPaths(source, 'none'), [])
    assert.throws(() => copy(['../a.txt'], '/x'), /\.\.\/a\.txt leads outside of the build context/)
    assert.throws(() => copy(['socket'], '/x'), /socket is neither a file, a directory nor a link/)
    assert.throws(() => copy(['*.txt'], '/x'), /are several files; the target must end with \//)
  })
})

describe('an owner', () => {
  const image = tree(
    file('etc/passwd', { content: Buffer.from('root:x:0:0::/:\nweb:x:1000:2000::/:\n') }),
    file('etc/group', { content: Buffer.from('staff:x:50:\n') }),
  )
  const cases: Readonly<Record<string, [number, number]>> = {
    '7': [7, 7],
    '7:9': [7, 9],
    web: [1000, 2000],
    'web:staff': [1000, 50],
    'web:9': [1000, 9],
    '7:staff': [7, 50],
  }
  for (const [text, [uid, gid]] of Object.entries(cases))
    test(text, async () => assert.deepEqual(await findOwner(text, image), { uid, gid }))

  test('that is not found is rejected', async () => {
    await assert.rejects(
      findOwner('nobody', image),
      /nobody: \/etc\/passwd of the image does not contain it; use a number/,
    )
    await assert.rejects(findOwner('web:x', image), /x: \/etc\/group/)
    await assert.rejects(findOwner('web', tree()), /the image has no \/etc\/passwd; use a number/)
    for (const text of ['', 'a:', ':b', 'a:b:c']) await assert.rejects(findOwner(text, image), /USER or USER:GROUP/)
    await assert.rejects(findOwner('99999999999', image), /invalid user or group number/)
  })
})
