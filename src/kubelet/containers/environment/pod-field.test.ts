import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { testPod } from '../pod.test.kit.js'
import { podField } from './pod-field.js'

const pod = testPod(
  { nodeName: 'n1', serviceAccountName: 'builder' },
  { labels: { b: '2', a: 'one "1"' }, annotations: { 'example.com/Note': 'hi' } },
)
const place = { hostAddresses: ['10.0.0.1', 'fd00::1'], podAddresses: ['10.1.0.5', 'fd01::5'] }

describe('a pod field of the downward API', () => {
  const table: readonly (readonly [field: string, text: string])[] = [
    ['metadata.name', 'web'],
    ['metadata.namespace', 'shop'],
    ['metadata.uid', 'u-1'],
    ['metadata.labels', 'a="one \\"1\\""\nb="2"'],
    ['metadata.annotations', 'example.com/Note="hi"'],
    ["metadata.labels['b']", '2'],
    ["metadata.labels['none']", ''],
    ["metadata.annotations['example.com/Note']", 'hi'],
    ['spec.nodeName', 'n1'],
    ['spec.host', 'n1'],
    ['spec.serviceAccountName', 'builder'],
    ['status.hostIP', '10.0.0.1'],
    ['status.hostIPs', '10.0.0.1,fd00::1'],
    ['status.podIP', '10.1.0.5'],
    ['status.podIPs', '10.1.0.5,fd01::5'],
  ]
  for (const [field, text] of table)
    test(`${field} is ${JSON.stringify(text)}`, () => assert.equal(podField(pod, field, place), text))

  const errors: readonly (readonly [field: string, message: string | RegExp])[] = [
    ['spec.restartPolicy', 'unsupported fieldPath: spec.restartPolicy'],
    ['constructor', 'unsupported fieldPath: constructor'],
    ["spec.nodeName['a']", `fieldPath "spec.nodeName['a']" does not support subscript`],
    ["metadata.labels['a b']", /^invalid key subscript in metadata\.labels\['a b'\]: name part must consist of/],
  ]
  for (const [field, message] of errors)
    test(`${field} is rejected`, () => assert.throws(() => podField(pod, field, place), { message }))
})
