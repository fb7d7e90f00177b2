import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { after, describe, test } from 'node:test'
import { kubectlMissing } from '../../testing/kubectl/kubectl.js'
import { thisHost } from '../host-access.js'
import { flattenKubeconfig } from './flatten.js'
import { kubeconfigJson } from './format.js'
import { parseKubeconfig } from './read.js'
import { kubeconfigSources, loadKubeconfig } from './sources.js'
import { modifyKubeconfig } from './write.js'

const full = `
apiVersion: v1
kind: Config
preferences: {colors: true, extensions: [{name: p, extension: {a: 1}}]}
clusters:
- name: here
  cluster:
    server: https://127.0.0.1:6443
    certificate-authority: pki/ca.crt
    tls-server-name: kubernetes
    proxy-url: http://proxy:3128
    disable-compression: true
    extensions:
    - {name: z, extension: {b: 2}}
    - {name: a, extension: text}
- name: data
  cluster: {server: "http://a", insecure-skip-tls-verify: true, certificate-authority-data: Y2E=}
users:
- name: files
  user: {client-certificate: pki/jane.crt, client-key: pki/jane.key, as: joe, as-uid: "5", as-groups: [a, b], as-user-extra: {c: [d]}}
- name: plugin
  user:
    exec: {command: ./plugin, args: [a], env: [{name: A, value: b}], apiVersion: client.authentication.k8s.io/v1beta1, installHint: get it, provideClusterInfo: true}
- name: issuer
  user: {auth-provider: {name: oidc, config: {client-id: a, id-token: b}}}
- name: words
  user: {username: jane, password: secret}
contexts:
- name: one
  context: {cluster: here, user: files, namespace: work, extensions: [{name: e, extension: [1, "2"]}]}
- name: two
  context: {cluster: data, user: plugin}
current-context: one
extensions: [{name: own, extension: {deep: {er: true}}}]
`

const second = `
clusters:
- name: here
  cluster: {server: "https://other", certificate-authority-data: Y2E=}
- name: far
  cluster: {server: "https://far"}
users:
- name: files
  user: {token: other}
contexts:
- name: one
  context: {cluster: far, user: files}
- name: three
  context: {cluster: far, user: words}
current-context: three
preferences: {extensions: [{name: p, extension: {a: 2}}, {name: q, extension: 3}]}
extensions: [{name: own, extension: {other: 1}}, {name: more, extension: null}]
`

/** Files by name, in the order of `KUBECONFIG`. */
const table: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'one file with everything': { a: full },
  'two files': { a: full, b: second },
  'the same two the other way round': { b: second, a: full },
  'files in several folders': { 'x/a': full, 'y/b': second },
  'an empty file first': { empty: '', a: full },
  'only an empty file': { empty: '' },
  'JSON before YAML': { json: '{"clusters":[{"name":"here","cluster":{"server":"https://json"}}]}', a: full },
  'a context that leads nowhere': {
    a: 'contexts: [{name: lost, context: {cluster: a, user: b}}]\ncurrent-context: gone',
  },
}

const folder = mkdtempSync(join(tmpdir(), 'proa-kubeconfig-'))
after(() => rmSync(folder, { recursive: true, force: true }))

function written(name: string, files: Readonly<Record<string, string>>): readonly string[] {
  const root = join(folder, name.replaceAll(' ', '-'))
  return Object.entries(files).map(([file, text]) => {
    const path = join(root, file)
    mkdirSync(join(dirname(path), 'pki'), { recursive: true })
    for (const pem of ['ca.crt', 'jane.crt', 'jane.key'])
      writeFileSync(join(dirname(path), 'pki', pem), `${file} ${pem}`)
    writeFileSync(path, text)
    return path
  })
}

function kubectl(list: string, ...args: string[]): string {
  const env = { PATH: process.env.PATH, HOME: folder, KUBECONFIG: list }
  return execFileSync('kubectl', args, { env, encoding: 'utf8' })
}

describe('kubectl and Proa read the same configuration', { skip: kubectlMissing() }, () => {
  for (const [name, files] of Object.entries(table))
    test(name, async () => {
      const list = written(name, files).join(delimiter)
      const host = { ...thisHost(), variables: { KUBECONFIG: list } }
      const config = await loadKubeconfig(host, kubeconfigSources(host), { absolutePaths: false })
      const seen = kubeconfigJson(await flattenKubeconfig(config, host))
      const theirs = kubectl(list, 'config', 'view', '--flatten', '--output=json')
      assert.deepEqual(JSON.parse(JSON.stringify(seen)), JSON.parse(theirs))
    })
})

describe('kubectl and Proa write the same files', { skip: kubectlMissing() }, () => {
  const set = { cluster: 'far', user: 'words', namespace: 'new' }
  const args = ['--cluster=far', '--user=words', '--namespace=new']
  for (const name of ['one', 'three', 'brand-new'])
    test(`when the context ${name} is set`, async () => {
      const theirs = written(`theirs ${name}`, { a: full, b: second })
      const ours = written(`ours ${name}`, { a: full, b: second })
      kubectl(theirs.join(delimiter), 'config', 'set-context', name, ...args)
      const host = { ...thisHost(), variables: { KUBECONFIG: ours.join(delimiter) } }
      await modifyKubeconfig(host, kubeconfigSources(host), (config) => {
        const old = config.contexts.get(name)
        const stanza = { ...old, settings: { ...old?.settings, ...set } }
        return { ...config, contexts: new Map(config.contexts).set(name, stanza) }
      })
      for (const [index, path] of ours.entries()) {
        const [mine, other] = [readFileSync(path, 'utf8'), readFileSync(theirs[index]!, 'utf8')]
        assert.deepEqual(await plain(mine), await plain(other), path)
      }
    })
})

async function plain(text: string): Promise<unknown> {
  return JSON.parse(JSON.stringify(kubeconfigJson(await parseKubeconfig(text))))
}
