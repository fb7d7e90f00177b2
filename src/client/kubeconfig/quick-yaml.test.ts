import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { formatYaml, parseYaml } from '../../wire/yaml.js'
import { quickYaml } from './quick-yaml.js'

const usual = `apiVersion: v1
kind: Config
# a comment
clusters:
- cluster:
    certificate-authority-data: LS0tLS1CRUdJTiA=
    server: https://127.0.0.1:6443
    insecure-skip-tls-verify: false
  name: proa
contexts:
  - name: proa
    context:
      cluster: proa
      user: 'admin'
current-context: proa
preferences: {}
users:
- name: admin
  user:
    token: "abc.def"
    exec:
      command: /usr/bin/helper
      args:
      - --flag
      - get-token
      env: null
`

describe('a plain kubeconfig', () => {
  test('is parsed like the library parses it', async () => {
    const plain = usual.replace('      - --flag\n', '').replace('      env: null\n', '')
    assert.deepEqual(quickYaml(plain), (await parseYaml(plain)).value)
    const written = await formatYaml((await parseYaml(plain)).value)
    assert.deepEqual(quickYaml(written), (await parseYaml(plain)).value)
  })
  test('is left to the library if it uses more of YAML', () => {
    for (const line of [
      'a: 1',
      'a: null',
      'a: yes',
      'a: {b: c}',
      'a: [b]',
      'a: |',
      'a: &x b',
      'a: *x',
      'a: "x\\n"',
      "a: 'it''s'",
      'a: b # c',
    ])
      assert.equal(quickYaml(`${line}\n`), undefined, line)
    for (const text of [
      'a: b\na: c',
      'a: b\n  c: d',
      '---\na: b',
      '{"a": "b"}',
      'a:\n\tb: c',
      'yes: no',
      '- - a',
      '',
      'a: 2020-01-01',
      'a: b: c',
    ])
      assert.equal(quickYaml(text), undefined, text)
    assert.equal(quickYaml(usual), undefined)
  })
})
