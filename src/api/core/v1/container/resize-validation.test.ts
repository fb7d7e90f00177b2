import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fieldPath } from '../../../../schema/field-path.js'
import type { ContainerResizePolicy } from '../container.js'
import { validateInitResizePolicy, validateResizePolicy } from './resize-validation.js'

const problems = (list: readonly ContainerResizePolicy[], podPolicy = 'Always') =>
  validateResizePolicy(list, fieldPath('resizePolicy'), podPolicy).map(String)
const policy = (resourceName: string, restartPolicy: string) => ({ resourceName, restartPolicy })

describe('what a container does when it is resized', () => {
  test('is set for CPU and memory, each once', () => {
    assert.deepEqual(problems([policy('cpu', 'NotRequired'), policy('memory', 'RestartContainer')]), [])
    assert.deepEqual(problems([policy('', ''), policy('disk', 'Later'), policy('disk', 'NotRequired')]), [
      'resizePolicy: Required value',
      'resizePolicy: Required value',
      'resizePolicy: Unsupported value: "disk": supported values: "cpu", "memory"',
      'resizePolicy: Unsupported value: "Later": supported values: "NotRequired", "RestartContainer"',
      'resizePolicy[2]: Duplicate value: "disk"',
      'resizePolicy: Unsupported value: "disk": supported values: "cpu", "memory"',
    ])
  })

  test('cannot be a restart if the pod never restarts', () => {
    assert.deepEqual(problems([policy('cpu', 'RestartContainer')], 'Never'), [
      "resizePolicy: Invalid value: \"RestartContainer\": must be 'NotRequired' when pod `restartPolicy` is 'Never'",
    ])
    const list = [policy('cpu', 'NotRequired'), policy('memory', 'RestartContainer')]
    assert.deepEqual(validateInitResizePolicy(list, fieldPath('resizePolicy')).map(String), [
      'resizePolicy[1].restartPolicy: Invalid value: "RestartContainer": must not be set to \'RestartContainer\' for non-sidecar initContainers',
    ])
  })
})
