import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { failure } from './kubeconfig.test.kit.js'
import { parseKubeconfig } from './read.js'

test('a kubeconfig is read from YAML and from JSON', async () => {
  const yaml = await parseKubeconfig('clusters:\n- name: here\n  cluster:\n    server: https://a\n')
  const json = await parseKubeconfig('{"clusters": [{"name": "here", "cluster": {"server": "https://a"}}]}')
  assert.deepEqual(yaml, json)
  assert.deepEqual(yaml.clusters.get('here'), { settings: { server: 'https://a' } })
})

test('an empty file is an empty configuration', async () => {
  for (const text of ['', '{}', '# nothing\n']) {
    const config = await parseKubeconfig(text)
    assert.deepEqual([config.clusters.size, config['current-context']], [0, ''])
  }
})

test('unknown fields are ignored', async () => {
  const config = await parseKubeconfig('users:\n- name: jane\n  colour: red\n  user: {token: a, constructor: b}\n')
  assert.deepEqual(config.users.get('jane')?.settings, { token: 'a' })
})

test('exec plugins of versions before v1 have the interactive mode IfAvailable', async () => {
  const mode = async (version: string) => {
    const exec = `{command: a, apiVersion: client.authentication.k8s.io/${version}}`
    const config = await parseKubeconfig(`users:\n- name: jane\n  user:\n    exec: ${exec}\n`)
    return config.users.get('jane')?.settings.exec?.interactiveMode
  }
  assert.deepEqual([await mode('v1beta1'), await mode('v1')], ['IfAvailable', undefined])
})

describe("invalid files give upstream's messages", () => {
  const table: Readonly<Record<string, string>> = {
    'clusters: x': 'json: cannot unmarshal string into Go struct field Config.clusters of type []v1.NamedCluster',
    'clusters: [{name: a, cluster: {server: 5}}]':
      'json: cannot unmarshal number into Go struct field Cluster.clusters.cluster.server of type string',
    'clusters: [{name: a, cluster: {insecure-skip-tls-verify: "a"}}]':
      'json: cannot unmarshal string into Go struct field Cluster.clusters.cluster.insecure-skip-tls-verify of type bool',
    'users: [{name: 5}]': 'json: cannot unmarshal number into Go struct field NamedAuthInfo.users.name of type string',
    'users: [{name: a, user: {as-groups: b}}]':
      'json: cannot unmarshal string into Go struct field AuthInfo.users.user.as-groups of type []string',
    'users: [{name: a, user: {client-key-data: "a"}}]': 'illegal base64 data at input byte 0',
    'users: [{name: a, user: {client-key-data: "YWJj-A=="}}]': 'illegal base64 data at input byte 4',
    'a: [': 'yaml: line 1: did not find expected node content',
    'kind: Foo': 'no kind "Foo" is registered for version "v1"',
    '{apiVersion: v2, kind: Config}': 'no kind "Config" is registered for version "v2"',
    'clusters: [{name: a}, {name: a}]':
      'error converting *[]NamedCluster into *map[string]*api.Cluster: duplicate name "a" in list',
  }
  for (const [text, message] of Object.entries(table))
    test(text, async () => assert.equal(await failure(() => parseKubeconfig(text)), message))
})

test('no error contains a secret', async () => {
  const secret = 'c2VjcmV0LW9mLWphbmU='
  const texts = [
    `users: [{name: jane, user: {token: [${secret}]}}]`,
    `users: [{name: jane, user: {token: ${secret}}}, {name: jane}]`,
    `users: [{name: jane, user: {client-key-data: "${secret}-"}}]`,
    `users:\n- name: jane\n  user:\n    token: ${secret}: ${secret}\n`,
    `users:\n- name: jane\n  user:\n\ttoken: ${secret}\n`,
    `users: [{name: jane, user: {token: ${secret}`,
    `users: [{name: jane, user: {token: *${secret}}}]`,
    `token ${secret}`,
  ]
  for (const text of texts) assert.doesNotMatch(await failure(() => parseKubeconfig(text)), /c2VjcmV0/, text)
})
