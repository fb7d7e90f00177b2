import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fieldPath } from '../../../../schema/field-path.js'
import type { EnvVarSource } from './env.js'
import { validateEnv, validateEnvFiles, validateEnvFrom } from './env-validation.js'

const source = (valueFrom: EnvVarSource, value?: string) =>
  validateEnv([{ name: 'A', valueFrom, ...(value !== undefined && { value }) }], fieldPath('env')).map((error) =>
    String(error).replace('env[0].', ''),
  )

const subdomainForm =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"
const variableForm = "a valid environment variable name must consist only of printable ASCII characters other than '='"

describe('variables of a container', () => {
  test('have names', () =>
    assert.deepEqual(validateEnv([{ name: '' }, { name: 'a=b' }, { name: '1 x.y-z' }], fieldPath('env')).map(String), [
      'env[0].name: Required value',
      `env[1].name: Invalid value: "a=b": ${variableForm}`,
    ]))

  test('have a value or one source of it', () => {
    const fieldRef = { apiVersion: 'v1', fieldPath: 'metadata.name' }
    const resourceFieldRef = { resource: 'limits.cpu', divisor: '0' }
    assert.deepEqual(source({ fieldRef }), [])
    assert.deepEqual(source({}), [
      'valueFrom: Invalid value: "": must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`',
    ])
    assert.deepEqual(source({}, 'x'), source({}))
    assert.deepEqual(source({ fieldRef, resourceFieldRef }, 'x'), [
      'valueFrom: Invalid value: "": may not be specified when `value` is not empty',
    ])
    assert.deepEqual(source({ fieldRef, resourceFieldRef }), [
      'valueFrom: Invalid value: "": may not have more than one field specified at a time',
    ])
  })

  test('come from keys of config maps and secrets', () => {
    assert.deepEqual(source({ configMapKeyRef: { name: 'settings', key: 'a.b' } }), [])
    assert.deepEqual(source({ configMapKeyRef: { name: 'Bad', key: '' } }), [
      `valueFrom.configMapKeyRef.name: Invalid value: "Bad": ${subdomainForm}`,
      'valueFrom.configMapKeyRef.key: Required value',
    ])
    assert.deepEqual(source({ secretKeyRef: { name: '', key: '..' } }), [
      `valueFrom.secretKeyRef.name: Invalid value: "": ${subdomainForm}`,
      'valueFrom.secretKeyRef.key: Invalid value: "..": must not be \'..\'',
    ])
  })

  test('come from files', () => {
    assert.deepEqual(source({ fileKeyRef: { volumeName: 'shared', path: 'a/b.env', key: 'KEY' } }), [])
    assert.deepEqual(source({ fileKeyRef: { volumeName: '', path: '', key: '' } }), [
      'valueFrom.fileKeyRef.key: Required value',
      'valueFrom.fileKeyRef.volumeName: Required value',
      'valueFrom.fileKeyRef.path: Required value',
    ])
    assert.deepEqual(source({ fileKeyRef: { volumeName: 'a.b', path: '../up', key: 'K=' } }), [
      `valueFrom.fileKeyRef.key: Invalid value: "K=": ${variableForm}`,
      'valueFrom.fileKeyRef.volumeName: Invalid value: "a.b": must not contain dots',
      'valueFrom.fileKeyRef.path: Invalid value: "../up": must not contain \'..\'',
    ])
  })

  test('come from files only in emptyDir volumes', () => {
    const env = ['data', 'claim', 'nothing'].map((volumeName) => ({
      name: 'A',
      valueFrom: { fileKeyRef: { volumeName, path: 'x', key: 'K' } },
    }))
    const spec = {
      initContainers: [{ name: 'one', env }],
      containers: [{ name: 'app' }],
      volumes: [
        { name: 'data', emptyDir: {} },
        { name: 'claim', persistentVolumeClaim: { claimName: 'x' } },
      ],
    }
    const at = (i: number) => `spec.initContainers[0].env[${i}].valueFrom.fileKeyRef.volumeName`
    assert.deepEqual(validateEnvFiles(spec, fieldPath('spec')).map(String), [
      `${at(1)}: Invalid value: "claim": referenced volume must be of type emptyDir`,
      `${at(2)}: Not found: "nothing"`,
    ])
  })
})

describe('sources of many variables', () => {
  test('are config maps or secrets; errors about their number have the path of the whole list', () =>
    assert.deepEqual(
      validateEnvFrom(
        [
          { prefix: 'A_', configMapRef: { name: 'settings-' } },
          {},
          { configMapRef: { name: 'a' }, secretRef: { name: '' } },
          { prefix: 'A=', secretRef: { name: 'Bad' } },
        ],
        fieldPath('envFrom'),
      ).map(String),
      [
        'envFrom: Invalid value: "": must specify one of: `configMapRef` or `secretRef`',
        'envFrom[2].secretRef.name: Required value',
        'envFrom: Invalid value: "": may not have more than one field specified at a time',
        `envFrom[3].prefix: Invalid value: "A=": ${variableForm}`,
        `envFrom[3].secretRef.name: Invalid value: "Bad": ${subdomainForm}`,
      ],
    ))
})
