import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fieldPath } from '../../../../schema/field-path.js'
import { validateFieldSelector, validateResourceSelector } from './downward-api-validation.js'

const allowed = ['metadata.name', 'spec.nodeName']
const ofField = (path: string, apiVersion = 'v1') =>
  validateFieldSelector({ apiVersion, fieldPath: path }, fieldPath('ref'), allowed).map(String)
const ofResource = (resource: string, divisor = '0') =>
  validateResourceSelector({ resource, divisor }, fieldPath('ref')).map(String)

describe('a field of the pod', () => {
  test('is one of the allowed fields', () => {
    assert.deepEqual(ofField('metadata.name'), [])
    assert.deepEqual(ofField('spec.host'), [], 'what the name of the node was called once')
    assert.deepEqual(ofField(''), ['ref.fieldPath: Required value'])
    assert.deepEqual(ofField('metadata.name', ''), ['ref.apiVersion: Required value'])
    assert.deepEqual(ofField('metadata.labels'), [
      'ref.fieldPath: Unsupported value: "metadata.labels": supported values: "metadata.name", "spec.nodeName"',
    ])
    assert.deepEqual(ofField('spec.containers'), [
      'ref.fieldPath: Invalid value: "spec.containers": error converting fieldPath: field label not supported: spec.containers',
    ])
    assert.deepEqual(ofField('metadata.name', 'v2'), [
      'ref.fieldPath: Invalid value: "metadata.name": error converting fieldPath: unsupported pod version: v2',
    ])
  })

  test('may be a single label or annotation', () => {
    assert.deepEqual(ofField("metadata.labels['app']"), [])
    assert.deepEqual(ofField("metadata.annotations['Example.com/Key']"), [], 'annotations have no case')
    assert.deepEqual(ofField("metadata.labels['']").length, 2)
    assert.match(ofField("metadata.labels['a b']")[0]!, /^ref: Invalid value: "a b": name part must consist of/)
    assert.deepEqual(ofField("metadata.name['x']"), [
      "ref.fieldPath: Invalid value: \"metadata.name['x']\": error converting fieldPath: field label does not support subscript: metadata.name['x']",
    ])
  })
})

describe('a resource of a container', () => {
  test('is a supported resource', () => {
    for (const name of ['limits.cpu', 'requests.memory', 'limits.ephemeral-storage', 'requests.hugepages-2Mi'])
      assert.deepEqual(ofResource(name), [])
    assert.deepEqual(ofResource(''), ['ref.resource: Required value'])
    assert.deepEqual(ofResource('limits.gpu'), [
      'ref.resource: Unsupported value: "limits.gpu": supported values: "limits.cpu", "limits.ephemeral-storage", "limits.memory", "requests.cpu", "requests.ephemeral-storage", "requests.memory"',
    ])
  })

  test('has a divisor of a valid unit; the error contains the resource', () => {
    const bytes = '1, 1k, 1M, 1G, 1T, 1P, 1E, 1Ki, 1Mi, 1Gi, 1Ti, 1Pi, 1Ei'
    const refused = (resource: string, values: string, words: string) => [
      `ref.divisor: Invalid value: "${resource}": only divisor's values ${values} are supported with the ${words} resource`,
    ]
    assert.deepEqual(ofResource('limits.cpu', '1m'), [])
    assert.deepEqual(ofResource('limits.memory', '1Mi'), [])
    assert.deepEqual(ofResource('limits.cpu', '10m'), refused('limits.cpu', '1m and 1', 'cpu'))
    assert.deepEqual(ofResource('requests.memory', '1m'), refused('requests.memory', bytes, 'memory'))
    assert.deepEqual(
      ofResource('limits.ephemeral-storage', '2'),
      refused('limits.ephemeral-storage', bytes, 'local ephemeral storage'),
    )
    assert.deepEqual(ofResource('limits.hugepages-2Mi', '3'), refused('limits.hugepages-2Mi', bytes, 'hugepages'))
  })

  test('names its container outside of containers', () => {
    const inFile = (containerName: string) =>
      validateResourceSelector({ resource: 'limits.cpu', containerName }, fieldPath('ref'), { inFile: true }).map(
        String,
      )
    assert.deepEqual(inFile('app'), [])
    assert.deepEqual(inFile(''), ['ref.containerName: Required value'])
  })
})
