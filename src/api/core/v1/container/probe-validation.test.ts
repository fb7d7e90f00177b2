import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fieldPath } from '../../../../schema/field-path.js'
import type { Probe } from './probe.js'
import { validateProbes } from './probe-validation.js'

const exec = { command: ['true'] }
const live = (probe: Probe) =>
  validateProbes({ livenessProbe: { successThreshold: 1, ...probe } }, fieldPath('c'), 30).map((error) =>
    String(error).replace('c.livenessProbe', ''),
  )

describe('probes', () => {
  test('are optional', () => assert.deepEqual(validateProbes({}, fieldPath('c'), 30), []))

  test('have exactly one action', () => {
    const notBoth = 'Forbidden: may not specify more than 1 handler type'
    assert.deepEqual(live({ exec }), [])
    assert.deepEqual(live({}), [': Required value: must specify a handler type'])
    assert.deepEqual(live({ exec: {}, tcpSocket: { port: 0 }, httpGet: { port: 0 }, grpc: { port: 0 } }), [
      '.exec.command: Required value',
      `.httpGet: ${notBoth}`,
      `.tcpSocket: ${notBoth}`,
      `.grpc: ${notBoth}`,
    ])
  })

  test('reach ports by number or by name', () => {
    const range = 'must be between 1 and 65535, inclusive'
    assert.deepEqual(live({ tcpSocket: { port: 'http' } }), [])
    assert.deepEqual(live({ tcpSocket: { port: 70000 } }), [`.tcpSocket.port: Invalid value: 70000: ${range}`])
    assert.deepEqual(live({ grpc: { port: 0 } }), [`.grpc.port: Invalid value: 0: ${range}`])
    assert.deepEqual(live({ tcpSocket: { port: '80' } }), [
      '.tcpSocket.port: Invalid value: "80": must contain at least one letter (a-z)',
    ])
  })

  test('over HTTP have a path, a scheme and valid headers', () =>
    assert.deepEqual(
      live({
        httpGet: { port: 80, path: '', scheme: 'GOPHER' as never, httpHeaders: [{ name: 'Bad Header', value: '' }] },
      }),
      [
        '.httpGet.path: Required value',
        '.httpGet.scheme: Unsupported value: "GOPHER": supported values: "HTTP", "HTTPS"',
        ".httpGet.httpHeaders: Invalid value: \"Bad Header\": a valid HTTP header must consist of alphanumeric characters or '-' (e.g. 'X-Header-Name', regex used for validation is '[-A-Za-z0-9]+')",
      ],
    ))

  test('have no negative numbers', () =>
    assert.deepEqual(
      live({
        exec,
        initialDelaySeconds: -1,
        timeoutSeconds: -2,
        periodSeconds: -3,
        successThreshold: -4,
        failureThreshold: -5,
        terminationGracePeriodSeconds: 0,
      }),
      [
        '.initialDelaySeconds: Invalid value: -1: must be greater than or equal to 0',
        '.timeoutSeconds: Invalid value: -2: must be greater than or equal to 0',
        '.periodSeconds: Invalid value: -3: must be greater than or equal to 0',
        '.successThreshold: Invalid value: -4: must be greater than or equal to 0',
        '.failureThreshold: Invalid value: -5: must be greater than or equal to 0',
        '.terminationGracePeriodSeconds: Invalid value: 0: must be greater than 0',
        '.successThreshold: Invalid value: -4: must be 1',
      ],
    ))

  test('of each type have their own limits', () => {
    const twice = { exec, successThreshold: 2 }
    const patient = { exec, successThreshold: 1, terminationGracePeriodSeconds: 5 }
    assert.deepEqual(
      validateProbes({ livenessProbe: twice, readinessProbe: twice, startupProbe: twice }, fieldPath('c'), 30).map(
        String,
      ),
      [
        'c.livenessProbe.successThreshold: Invalid value: 2: must be 1',
        'c.startupProbe.successThreshold: Invalid value: 2: must be 1',
      ],
    )
    assert.deepEqual(
      validateProbes(
        { livenessProbe: patient, readinessProbe: patient, startupProbe: patient },
        fieldPath('c'),
        30,
      ).map(String),
      ['c.readinessProbe.terminationGracePeriodSeconds: Invalid value: 5: must not be set for readinessProbes'],
    )
  })
})
