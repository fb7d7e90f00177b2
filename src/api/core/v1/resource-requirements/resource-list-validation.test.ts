import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fieldPath } from '../../../../schema/field-path.js'
import {
  type ResourceNameRule,
  validateContainerResourceName,
  validatePodResourceName,
  validateQuotaResourceName,
  validateResourceName,
  validateResourceQuantity,
} from './resource-list-validation.js'

const named = (rule: ResourceNameRule) => (name: string) => rule(name, fieldPath('r')).map((error) => error.detail)
const any = named(validateResourceName)
const container = named(validateContainerResourceName)
const pod = named(validatePodResourceName)
const quota = named(validateQuotaResourceName)
const fine = (check: (name: string) => readonly string[], ...names: readonly string[]) => {
  for (const name of names) assert.deepEqual(check(name), [], name)
}

const notStandard = 'must be a standard resource type or fully qualified'

describe('names of resources', () => {
  test('are standard, or have a domain', () => {
    fine(any, 'cpu', 'storage', 'pods', 'requests.cpu', 'hugepages-2Mi', 'requests.hugepages-2Mi', 'example.com/gpu')
    assert.deepEqual(any('gpu'), [notStandard])
    assert.deepEqual(any('').length, 2)
    assert.match(any('a b')[0]!, /^name part must consist of/)
  })

  test('of containers are few', () => {
    fine(container, 'cpu', 'memory', 'ephemeral-storage', 'hugepages-1Gi', 'example.com/gpu', 'kubernetes.io/anything')
    assert.deepEqual(container('pods'), ['must be a standard resource for containers'])
    assert.deepEqual(container('gpu'), [notStandard, 'must be a standard resource for containers'])
    assert.deepEqual(container('requests.example.com/gpu'), ["doesn't follow extended resource name standard"])
    assert.deepEqual(container(`${'a'.repeat(253)}/gpu`), ["doesn't follow extended resource name standard"])
  })

  test('of pods as a whole are fewer', () => {
    fine(pod, 'cpu', 'memory', 'hugepages-2Mi')
    assert.deepEqual(pod('ephemeral-storage'), ['supported values: "cpu", "hugepages-", "memory"'])
    assert.deepEqual(pod('gpu'), [notStandard])
  })

  test('of quotas are many', () => {
    fine(quota, 'pods', 'services.nodeports', 'limits.memory', 'requests.hugepages-2Mi', 'requests.example.com/gpu')
    fine(quota, 'count/deployments.apps', 'gold.storageclass.storage.k8s.io/requests.storage')
    assert.deepEqual(quota('storage'), ['must be a standard resource for quota'])
    assert.deepEqual(quota('gpu'), [notStandard, 'must be a standard resource for quota'])
  })
})

describe('amounts of resources', () => {
  const amount = (name: string, quantity: string) =>
    validateResourceQuantity(name, quantity, fieldPath('r')).map(String)

  test('are not negative', () => {
    assert.deepEqual(amount('cpu', '0'), [])
    assert.deepEqual(amount('memory', '-1Mi'), ['r: Invalid value: "-1Mi": must be greater than or equal to 0'])
  })

  test('are whole where there are no parts', () => {
    assert.deepEqual(amount('cpu', '500m'), [])
    assert.deepEqual(amount('example.com/gpu', '2k'), [])
    assert.deepEqual(amount('kubernetes.io/gpu', '500m'), [])
    assert.deepEqual(amount('example.com/gpu', '500m'), ['r: Invalid value: "500m": must be an integer'])
    assert.deepEqual(amount('pods', '-1500m'), [
      'r: Invalid value: "-1500m": must be greater than or equal to 0',
      'r: Invalid value: "-1500m": must be an integer',
    ])
  })
})
