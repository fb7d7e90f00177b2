import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setDefaults } from '../../../../schema/defaults.js'
import { KindHarness, replaceFields } from '../../../../testing/objects/kind-harness.js'

const secrets = new KindHarness('core/v1.Secret')
const base64 = (text: string) => Buffer.from(text).toString('base64')
const errorsOf = (body: object) => secrets.create(body).errors
const redacted = 'Invalid value: "<secret contents redacted>"'

describe('plain text in a secret', () => {
  test('is merged into the data and has precedence', () => {
    const { object } = secrets.create({ stringData: { user: 'new', mark: 'é' }, data: { user: base64('old') } })
    assert.deepEqual(object.data, { mark: base64('é'), user: base64('new') })
    assert.equal(object.stringData, undefined)
  })

  test('leaves what it shares with an old object alone, and joins only once', () => {
    const data = Object.freeze({ kept: base64('x') })
    const draft: Record<string, unknown> = { data, stringData: { added: 'y' } }
    setDefaults(secrets.type, draft)
    const after = structuredClone(draft)
    setDefaults(secrets.type, draft)
    assert.deepEqual(draft, after)
    assert.deepEqual(draft.data, { kept: base64('x'), added: base64('y') })
  })
})

describe('the type of a secret', () => {
  test('is Opaque by default', () => {
    assert.equal(secrets.create({}).object.type, 'Opaque')
    assert.deepEqual(errorsOf({ type: 'example.com/anything' }), [])
  })

  test('determines the required keys', () => {
    const needs: [string, object, string[]][] = [
      ['kubernetes.io/tls', {}, ['tls.crt', 'tls.key']],
      ['kubernetes.io/tls', { 'tls.crt': '' }, ['tls.key']],
      ['kubernetes.io/basic-auth', {}, ['username', 'password']],
      ['kubernetes.io/basic-auth', { password: '' }, []],
      ['kubernetes.io/ssh-auth', { 'ssh-privatekey': '' }, ['ssh-privatekey']],
      ['kubernetes.io/ssh-auth', { 'ssh-privatekey': base64('x') }, []],
      ['kubernetes.io/dockercfg', {}, ['.dockercfg']],
      ['kubernetes.io/dockerconfigjson', {}, ['.dockerconfigjson']],
    ]
    for (const [name, data, missing] of needs)
      assert.deepEqual(
        errorsOf({ type: name, data }),
        missing.map((key) => `data[${key}]: Required value`),
        name,
      )
  })

  test('requires the service account of a token', () => {
    const token = { type: 'kubernetes.io/service-account-token' }
    const annotations = { 'kubernetes.io/service-account.name': 'robot' }
    assert.deepEqual(errorsOf({ ...token, metadata: { annotations } }), [])
    assert.deepEqual(errorsOf(token), ['metadata.annotations[kubernetes.io/service-account.name]: Required value'])
  })

  test('requires registry credentials to be a JSON object', () => {
    const wrong: [string, string | undefined][] = [
      ['{"auths":{}}', undefined],
      ['null', undefined],
      ['{"auths":', 'unexpected end of JSON input'],
      ['nope', "invalid character 'o' in literal null (expecting 'u')"],
      ['[1]', 'json: cannot unmarshal array into Go value of type map[string]interface {}'],
      ['"x"', 'json: cannot unmarshal string into Go value of type map[string]interface {}'],
      ['true', 'json: cannot unmarshal bool into Go value of type map[string]interface {}'],
      ['7', 'json: cannot unmarshal number into Go value of type map[string]interface {}'],
    ]
    for (const [text, problem] of wrong)
      assert.deepEqual(
        errorsOf({ type: 'kubernetes.io/dockerconfigjson', stringData: { '.dockerconfigjson': text } }),
        problem === undefined ? [] : [`data[.dockerconfigjson]: ${redacted}: ${problem}`],
      )
  })

  test('never changes', () => {
    const { object: old } = secrets.create({})
    assert.deepEqual(secrets.update(old, replaceFields({ type: 'kubernetes.io/ssh-auth' })).errors, [
      'type: Invalid value: "kubernetes.io/ssh-auth": field is immutable',
      'data[ssh-privatekey]: Required value',
    ])
  })

  test('can be selected by', () => {
    const { fields } = secrets.strategy
    assert.equal(fields?.type?.({ type: 'a/b' } as never), 'a/b')
  })
})

describe('a secret', () => {
  test('is limited to one mebibyte', () => {
    const largest = Buffer.alloc(1024 * 1024)
    assert.deepEqual(errorsOf({ data: { largest: largest.toString('base64') } }), [])
    assert.deepEqual(errorsOf({ data: { largest: largest.toString('base64'), more: 'AA==' } }), [
      'data: Too long: may not be more than 1048576 bytes',
    ])
  })

  test('cannot change if it is immutable', () => {
    const { object: old } = secrets.create({ data: { a: 'AA==' }, immutable: true })
    const sealed = 'Forbidden: field is immutable when `immutable` is set'
    assert.deepEqual(secrets.update(old, replaceFields({ data: {}, immutable: false })).errors, [
      `immutable: ${sealed}`,
      `data: ${sealed}`,
    ])
    assert.deepEqual(secrets.update(old, replaceFields({ stringData: { a: '\0' } })).errors, [])
  })

  test('shows its type and how many keys it has', () => {
    const { object } = secrets.create({ data: { a: 'AA==' } })
    assert.deepEqual(secrets.cells(object as never, 0).slice(1, 3), ['Opaque', 1])
  })
})
