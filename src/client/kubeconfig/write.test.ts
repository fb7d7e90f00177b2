import assert from 'node:assert/strict'
import {
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { thisHost } from '../host-access.js'
import type { Kubeconfig } from './kubeconfig.js'
import { failure, fakeHost } from './kubeconfig.test.kit.js'
import { parseKubeconfig } from './read.js'
import { modifyKubeconfig } from './write.js'

const sources = (...files: string[]) => ({ files, isExplicit: false })
const useContext = (name: string) => (config: Kubeconfig) => ({ ...config, 'current-context': name })
const withCluster = (name: string, authority: string) => (config: Kubeconfig) => {
  const settings = { server: 'https://a', 'certificate-authority': authority }
  return { ...config, clusters: new Map(config.clusters).set(name, { ...config.clusters.get(name), settings }) }
}

test('a new file has mode 0600, its folders are created, and no lock is left', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'proa-kubeconfig-'))
  const file = join(folder, 'new', 'config')
  await modifyKubeconfig(thisHost(), { files: [file], isExplicit: true }, useContext('a'))
  assert.equal(statSync(file).mode & 0o777, 0o600)
  assert.deepEqual(readdirSync(join(folder, 'new')), ['config'])
  assert.equal((await parseKubeconfig(readFileSync(file, 'utf8')))['current-context'], 'a')
  rmSync(folder, { recursive: true })
})

test('an existing file gets mode 0600, and a symbolic link stays', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'proa-kubeconfig-'))
  const [file, link] = [join(folder, 'config'), join(folder, 'link')]
  writeFileSync(file, 'current-context: a\n', { mode: 0o644 })
  symlinkSync(file, link)
  await modifyKubeconfig(thisHost(), sources(link), useContext('b'))
  assert.equal(statSync(file).mode & 0o777, 0o600)
  assert.ok(lstatSync(link).isSymbolicLink())
  assert.match(readFileSync(file, 'utf8'), /current-context: b/)
  rmSync(folder, { recursive: true })
})

test('each entry is changed in its file, a new one in the first existing file', async () => {
  const stanza = (name: string) => `clusters: [{name: ${name}, cluster: {server: s}}]`
  const host = fakeHost({ '/b': stanza('one'), '/c': stanza('two') })
  await modifyKubeconfig(host, sources('/a', '/b', '/c'), withCluster('two', '/x'))
  await modifyKubeconfig(host, sources('/a', '/b', '/c'), withCluster('three', '/y'))
  const names = async (file: string) => [...(await parseKubeconfig(host.content.get(file)!)).clusters.keys()]
  assert.deepEqual([await names('/b'), await names('/c')], [['one', 'three'], ['two']])
  assert.deepEqual([...host.content.keys()].sort(), ['/b', '/c'])
})

test('an entry is removed from its file, and so is the current context', async () => {
  const host = fakeHost({
    '/a': 'clusters: [{name: one, cluster: {server: s}}]',
    '/b': 'users: [{name: jane, user: {token: t}}]\ncurrent-context: x',
  })
  await modifyKubeconfig(host, sources('/a', '/b'), (config) => ({
    ...config,
    users: new Map(),
    'current-context': '',
  }))
  const config = await parseKubeconfig(host.content.get('/b')!)
  assert.deepEqual([config.users.size, config['current-context']], [0, ''])
  assert.equal(host.content.get('/a'), 'clusters: [{name: one, cluster: {server: s}}]')
})

test('if no file exists, the last one of the list is created', async () => {
  const host = fakeHost()
  await modifyKubeconfig(host, sources('/a', '/b'), useContext('x'))
  assert.deepEqual([...host.content.keys()], ['/b'])
})

test('paths below the file are written relative to it on request', async () => {
  const host = fakeHost({ '/etc/kube/config': '' })
  const authority = async (path: string) => {
    await modifyKubeconfig(host, sources('/etc/kube/config'), withCluster('one', path), { relativePaths: true })
    const config = await parseKubeconfig(host.content.get('/etc/kube/config')!)
    return config.clusters.get('one')?.settings['certificate-authority']
  }
  assert.equal(await authority('/etc/kube/pki/ca.crt'), 'pki/ca.crt')
  assert.equal(await authority('/etc/pki/ca.crt'), '/etc/pki/ca.crt')
})

test('two writers exclude each other', async () => {
  const host = fakeHost({ '/a': '', '/b': '', '/b.lock': '' })
  const message = await failure(() => modifyKubeconfig(host, sources('/b', '/a'), useContext('x')))
  assert.equal(message, 'open /b.lock: file exists')
  assert.deepEqual(
    [...host.content.keys()],
    ['/a', '/b', '/b.lock'],
    'the lock of the other is left alone, ours is gone',
  )
})

test('nothing is written if nothing changes', async () => {
  const host = fakeHost({ '/a': 'current-context: x # mine' })
  await modifyKubeconfig(host, sources('/a'), useContext('x'))
  assert.equal(host.content.get('/a'), 'current-context: x # mine')
})
