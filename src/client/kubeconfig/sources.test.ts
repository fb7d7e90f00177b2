import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { failure, fakeHost } from './kubeconfig.test.kit.js'
import { kubeconfigSources, loadKubeconfig } from './sources.js'

const host = (variables: Record<string, string | undefined> = {}) => fakeHost({}, { variables })

describe('kubeconfig files are', () => {
  test('only the file that is named explicitly', () => {
    assert.deepEqual(kubeconfigSources(host({ KUBECONFIG: '/a' }), 'mine'), { files: ['mine'], isExplicit: true })
  })
  test('the files in KUBECONFIG, each once', () => {
    const { files } = kubeconfigSources(host({ KUBECONFIG: '/a:b::/a:c' }))
    assert.deepEqual(files, ['/a', 'b', 'c'])
  })
  test('the file in the home folder', () => {
    for (const variables of [{}, { KUBECONFIG: '' }])
      assert.deepEqual(kubeconfigSources(host(variables)), { files: ['/home/jane/.kube/config'], isExplicit: false })
  })
})

const cluster = (name: string, server: string, more = '') =>
  `clusters:\n- name: ${name}\n  cluster:\n    server: ${server}\n${more}`
const sources = (...files: string[]) => ({ files, isExplicit: false })

describe('of several files', () => {
  test('the first one with an entry wins, as a whole', async () => {
    const files = {
      '/a': cluster('one', 'https://first'),
      '/b': `${cluster('one', 'https://second', '    tls-server-name: two\n')}current-context: b\n`,
      '/c': `${cluster('two', 'https://third')}current-context: c\n`,
    }
    const config = await loadKubeconfig(fakeHost(files), sources('/a', '/b', '/c'))
    assert.deepEqual(config.clusters.get('one'), { settings: { server: 'https://first' }, file: '/a' })
    assert.deepEqual(config.clusters.get('two'), { settings: { server: 'https://third' }, file: '/c' })
    assert.equal(config['current-context'], 'b')
  })
  test('missing ones are skipped', async () => {
    const config = await loadKubeconfig(fakeHost({ '/b': cluster('one', 'a') }), sources('/a', '/b'))
    assert.deepEqual([...config.clusters.keys()], ['one'])
  })
  test('a warning is given if all are missing', async () => {
    const warnings: string[] = []
    await loadKubeconfig(fakeHost(), sources('/a', '/b'), { warn: (warning) => warnings.push(warning) })
    assert.deepEqual(warnings, ['Config not found: /a, /b'])
  })
  test('every invalid one is reported', async () => {
    const files = { '/a': 'users: x', '/b': 'contexts: 5' }
    assert.equal(
      await failure(() => loadKubeconfig(fakeHost(files), sources('/a', '/b'))),
      '[error loading config file "/a": json: cannot unmarshal string into Go struct field Config.users of type []v1.NamedAuthInfo, ' +
        'error loading config file "/b": json: cannot unmarshal number into Go struct field Config.contexts of type []v1.NamedContext]',
    )
  })
})

test('an explicitly named one must exist', async () => {
  const missing = loadKubeconfig(fakeHost(), { files: ['/nope'], isExplicit: true })
  assert.equal(await failure(() => missing), 'stat /nope: no such file or directory')
})

test('paths are relative to the file that contains them', async () => {
  const user = 'client-certificate: a.crt, client-key: /keys/a.key, tokenFile: ../token'
  const files = {
    '/work/some/a.yaml': `users:\n- name: jane\n  user: {${user}, exec: {command: ./plugin}}\n- name: joe\n  user: {exec: {command: plugin}}\n`,
    '/other/b.yaml': 'clusters:\n- name: one\n  cluster: {certificate-authority: ca.crt}\n',
  }
  const config = await loadKubeconfig(fakeHost(files), sources('some/a.yaml', '/other/b.yaml'))
  assert.deepEqual(config.users.get('jane')?.settings, {
    'client-certificate': '/work/some/a.crt',
    'client-key': '/keys/a.key',
    tokenFile: '/work/token',
    exec: { command: '/work/some/plugin' },
  })
  assert.deepEqual(config.users.get('joe')?.settings, { exec: { command: 'plugin' } })
  assert.deepEqual(config.clusters.get('one')?.settings, { 'certificate-authority': '/other/ca.crt' })
})
