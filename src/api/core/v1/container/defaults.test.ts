import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setDefaults } from '../../../../schema/defaults.js'
import { builtin } from '../../../scheme.js'
import type { Container } from '../container.js'
import { requestUpToLimits } from '../resource-requirements/defaults.js'
import { dropDisabledContainerFields } from './defaults.js'
import { defaultPullPolicy } from './pull-policy.js'

function defaulted(type: string, draft: object): object {
  setDefaults(builtin.type(type)!, draft)
  setDefaults(builtin.type(type)!, draft)
  return draft
}

describe('defaults of containers', () => {
  test('are set for absent fields', () => {
    for (const type of ['core/v1.Container', 'core/v1.EphemeralContainer'])
      assert.deepEqual(
        defaulted(type, {
          name: 'app',
          image: 'nginx',
          ports: [{ containerPort: 80 }],
          env: [
            { name: 'A', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
            { name: 'B', valueFrom: { fileKeyRef: { volumeName: 'v', path: 'p', key: 'k' } } },
          ],
          livenessProbe: { httpGet: { port: 80 } },
          readinessProbe: { grpc: { port: 80 }, timeoutSeconds: 7 },
          lifecycle: { preStop: { httpGet: { port: 80, path: '/bye', scheme: 'HTTPS' } } },
          securityContext: {},
        }),
        {
          name: 'app',
          image: 'nginx',
          imagePullPolicy: 'Always',
          terminationMessagePath: '/dev/termination-log',
          terminationMessagePolicy: 'File',
          ports: [{ containerPort: 80, protocol: 'TCP' }],
          env: [
            { name: 'A', valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.name' } } },
            { name: 'B', valueFrom: { fileKeyRef: { volumeName: 'v', path: 'p', key: 'k', optional: false } } },
          ],
          livenessProbe: {
            httpGet: { path: '/', port: 80, scheme: 'HTTP' },
            timeoutSeconds: 1,
            periodSeconds: 10,
            successThreshold: 1,
            failureThreshold: 3,
          },
          readinessProbe: {
            grpc: { port: 80, service: '' },
            timeoutSeconds: 7,
            periodSeconds: 10,
            successThreshold: 1,
            failureThreshold: 3,
          },
          lifecycle: { preStop: { httpGet: { path: '/bye', port: 80, scheme: 'HTTPS' } } },
          securityContext: {},
        },
      )
  })

  test('keep the pull policy of the client', () =>
    assert.deepEqual(defaulted('core/v1.Container', { name: 'a', image: 'a:latest', imagePullPolicy: 'Never' }), {
      name: 'a',
      image: 'a:latest',
      imagePullPolicy: 'Never',
      terminationMessagePath: '/dev/termination-log',
      terminationMessagePolicy: 'File',
    }))

  test('round resources up to thousandths', () =>
    assert.deepEqual(
      defaulted('core/v1.ResourceRequirements', {
        limits: { cpu: '100u', memory: '1n', storage: '1e-9' },
        requests: { cpu: '1500u', memory: '1Gi' },
      }),
      { limits: { cpu: '1m', memory: '1m', storage: '1e-3' }, requests: { cpu: '2m', memory: '1Gi' } },
    ))

  test('set requests of pods to the limits', () => {
    const resources = { limits: { cpu: '2', memory: '1Gi' }, requests: { cpu: '1' } }
    requestUpToLimits(resources)
    assert.deepEqual(resources.requests, { cpu: '1', memory: '1Gi' })
    const none = {}
    requestUpToLimits(none)
    requestUpToLimits(undefined)
    assert.deepEqual(none, {})
  })

  test('remove the stop signal of a disabled feature, and the empty lifecycle with it', () => {
    const preStop = { exec: { command: ['x'] } }
    const drafts: { -readonly [K in 'lifecycle']?: Container[K] }[] = [
      { lifecycle: { stopSignal: 'SIGTERM' } },
      { lifecycle: { stopSignal: 'SIGTERM', preStop } },
      {},
    ]
    for (const draft of drafts) dropDisabledContainerFields(draft as never)
    assert.deepEqual(drafts, [{}, { lifecycle: { preStop } }, {}])
  })
})

describe('names of images', () => {
  const digest = `sha256:${'a'.repeat(64)}`

  test('decide how often an image is pulled', () => {
    const always = [
      'nginx',
      'nginx:latest',
      'localhost:5000/a',
      'r.example/a/b:latest',
      `a:latest@${digest}`,
      'UPPER/case',
    ]
    const ifNotPresent = [
      'nginx:1',
      `nginx@${digest}`,
      'localhost:5000/a:v1',
      'UPPER',
      'a:latest@sha256:short',
      '',
      'a b',
    ]
    for (const image of always) assert.equal(defaultPullPolicy(image), 'Always', image)
    for (const image of ifNotPresent) assert.equal(defaultPullPolicy(image), 'IfNotPresent', image)
    assert.equal(defaultPullPolicy(undefined), 'IfNotPresent')
  })
})
