import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { UsageError } from '../../base/flags/flags.js'
import { findCluster } from './cluster.js'
import { readClusterFlags } from './cluster-flags.js'
import { defaultDataDirectory } from './data-directory.js'
import { MarkerError, markerFile, readMarker, writeMarker } from './marker.js'

const label = "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-'"
const badNames = ['', 'a/b', 'bad name', '../../x', '.', '..', '-a', 'a-', 'A', 'ä', 'a\n', 'a'.repeat(64)]

function temporary(context: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'proa-cluster-'))
  context.after(() => rmSync(folder, { recursive: true }))
  return folder
}

const marked = (folder: string, name: string) =>
  writeMarker(folder, { name, version: '0.1.0', createdAt: '2026-01-01T00:00:00Z', isDirectoryMade: true })

describe('the flags of a cluster', () => {
  for (const name of badNames)
    test(`the name ${JSON.stringify(name)} is refused as upstream refuses it, in a flag and in PROA_NAME`, () => {
      const isTooLong = name.length > 63
      const message = isTooLong ? 'must be no more than 63 characters' : label
      const refused = (error: unknown) => error instanceof UsageError && error.message.includes(message)
      assert.throws(() => readClusterFlags({ name }, {}), refused)
      assert.throws(() => readClusterFlags({}, { PROA_NAME: name }), refused)
    })

  test('an empty data directory is refused: a script whose variable is empty must not reach the default cluster', () => {
    const message = /cannot be used: it must name a directory/
    assert.throws(() => readClusterFlags({ 'data-dir': '' }, {}), message)
    assert.throws(() => readClusterFlags({}, { PROA_DATA_DIR: '' }), message)
  })

  test('a flag wins over its variable, and directories are absolute', () => {
    const variables = { PROA_NAME: 'one', PROA_DATA_DIR: 'there' }
    assert.deepEqual({ ...readClusterFlags({}, variables) }, { name: 'one', 'data-dir': resolve('there') })
    const both = readClusterFlags({ name: 'two', 'data-dir': 'here' }, variables)
    assert.deepEqual({ ...both }, { name: 'two', 'data-dir': resolve('here') })
  })
})

describe('a cluster', () => {
  const find = (name?: string, directory?: string) => findCluster({ name, 'data-dir': directory })

  test('without flags is the default one, and a name is part of the directory', () => {
    assert.deepEqual(find('trial'), { name: 'trial', dataDirectory: `${defaultDataDirectory()}-trial` })
    assert.deepEqual(find('proa').dataDirectory, defaultDataDirectory())
  })

  test('has exactly the directory that is given', (context) => {
    const folder = temporary(context)
    assert.deepEqual(find('trial', folder), { name: 'trial', dataDirectory: folder })
    assert.deepEqual(find(undefined, folder), { name: 'proa', dataDirectory: folder })
  })

  test('has the name that its directory says, where none is given', (context) => {
    const folder = temporary(context)
    marked(folder, 'trial')
    assert.deepEqual(find(undefined, folder), { name: 'trial', dataDirectory: folder })
    assert.deepEqual(find('trial', folder), { name: 'trial', dataDirectory: folder })
  })

  test('is not taken for another one', (context) => {
    const folder = temporary(context)
    marked(folder, 'trial')
    assert.throws(() => find('other', folder), {
      message: `${folder} is the data directory of the cluster trial, not of other; use that name, or name another directory with --data-dir`,
    })
  })
})

describe('a marker', () => {
  test('is read as it was written', (context) => {
    const folder = temporary(context)
    assert.equal(readMarker(folder), undefined)
    assert.equal(readMarker(join(folder, 'nowhere')), undefined)
    marked(folder, 'trial')
    assert.equal(readMarker(folder)?.name, 'trial')
  })

  const others = { 'some text': 'hello', nothing: '', 'another JSON': '{"name":"a"}', 'a bad name': badMarker('../x') }
  for (const [what, text] of Object.entries(others))
    test(`is refused where it is ${what}`, (context) => {
      const folder = temporary(context)
      writeFileSync(join(folder, markerFile), text)
      assert.throws(() => readMarker(folder), MarkerError)
    })

  test('is refused where it is a link', (context) => {
    const [folder, other] = [temporary(context), temporary(context)]
    marked(other, 'trial')
    symlinkSync(join(other, markerFile), join(folder, markerFile))
    assert.throws(() => readMarker(folder), MarkerError)
  })
})

function badMarker(name: string): string {
  return JSON.stringify({ kind: 'ProaDataDirectory', name })
}
