import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fieldPath } from '../../../../schema/field-path.js'
import type { PodSpec } from '../pod/spec.js'
import { validateLifecycle } from './lifecycle-validation.js'
import type { Lifecycle } from './probe.js'

const problems = (lifecycle: Lifecycle, spec: Partial<PodSpec> = {}) =>
  validateLifecycle(lifecycle, fieldPath('lifecycle'), { terminationGracePeriodSeconds: 30, ...spec }).map(String)

describe('hooks of a container', () => {
  test('may be left out', () => {
    assert.deepEqual(validateLifecycle(undefined, fieldPath('lifecycle'), {}), [])
    assert.deepEqual(problems({}), [])
  })

  test('have exactly one action', () =>
    assert.deepEqual(problems({ postStart: {}, preStop: { exec: { command: ['x'] }, sleep: { seconds: -1 } } }), [
      'lifecycle.postStart: Required value: must specify a handler type',
      'lifecycle.preStop.sleep: Forbidden: may not specify more than 1 handler type',
    ]))

  test('sleep no longer than the grace period', () => {
    const sleep = (seconds: number, spec?: Partial<PodSpec>) => problems({ preStop: { sleep: { seconds } } }, spec)
    const message = 'must be non-negative and less than terminationGracePeriodSeconds (30)'
    assert.deepEqual(
      [0, 30].flatMap((seconds) => sleep(seconds)),
      [],
    )
    assert.deepEqual(sleep(31), [`lifecycle.preStop.sleep: Invalid value: 31: ${message}`])
    assert.deepEqual(sleep(-1), [`lifecycle.preStop.sleep: Invalid value: -1: ${message}`])
    assert.deepEqual(
      sleep(31, { terminationGracePeriodSeconds: undefined }),
      [],
      'the missing period is told elsewhere',
    )
  })
})

describe('the signal that ends a container', () => {
  const signal = (stopSignal: string, os?: string) =>
    problems({ stopSignal: stopSignal as never }, os === undefined ? {} : { os: { name: os } })

  test('is one that the operating system of the pod supports', () => {
    assert.deepEqual(signal('SIGRTMIN+3', 'linux'), [])
    assert.deepEqual(signal('SIGTERM', 'windows'), [])
    assert.deepEqual(signal('SIGUSR1', 'windows'), [
      'lifecycle.stopSignal: Unsupported value: "SIGUSR1": supported values: "SIGKILL", "SIGTERM"',
    ])
    assert.match(
      signal('SIGNOT', 'linux')[0]!,
      /^lifecycle.stopSignal: Unsupported value: "SIGNOT": supported values: "SIGABRT", "SIGALRM", .* "SIGXFSZ"$/,
    )
    assert.deepEqual(signal('SIGNOT', 'plan9'), [], 'the system is told elsewhere')
  })

  test('requires the pod to name its operating system', () =>
    assert.deepEqual(signal('SIGTERM'), [
      'lifecycle.stopSignal: Forbidden: may not be set for containers with empty `spec.os.name`',
    ]))
})
