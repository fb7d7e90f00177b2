import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { testContainer, testPod } from '../pod.test.kit.js'
import { resourceField, selectedContainer } from './resource-field.js'

const resources = {
  requests: { cpu: '250m', memory: '100Mi', 'ephemeral-storage': '1Gi' },
  limits: { cpu: '1500m', 'hugepages-2Mi': '4Mi' },
}
const { spec } = testPod()
const allocatable = { cpu: '2', memory: '4Gi', 'ephemeral-storage': '10G' }

describe('a resource field of the downward API', () => {
  const table: readonly (readonly [resource: string, divisor: string | undefined, text: string])[] = [
    ['requests.cpu', '1m', '250'],
    ['requests.cpu', '1', '1'],
    ['requests.cpu', undefined, '1'],
    ['limits.cpu', '0', '2'],
    ['limits.cpu', '1m', '1500'],
    ['requests.memory', '1Mi', '100'],
    ['requests.memory', '1M', '105'],
    ['requests.memory', undefined, '104857600'],
    ['limits.memory', '1Gi', '4'],
    ['limits.ephemeral-storage', '1', '10000000000'],
    ['limits.hugepages-2Mi', '1Mi', '4'],
    ['requests.hugepages-2Mi', '1', '0'],
  ]
  for (const [resource, divisor, text] of table)
    test(`${resource} in units of ${divisor ?? 'one'} is ${text}`, () => {
      const selector = { resource, ...(divisor === undefined ? {} : { divisor }) }
      assert.equal(resourceField(selector, testContainer({ resources }), { spec, allocatable }), text)
    })

  test('a limit of the pod precedes the allocatable amount', () => {
    const limited = testPod({ resources: { limits: { memory: '1Gi' } } }).spec
    const text = resourceField({ resource: 'limits.memory', divisor: '1Mi' }, testContainer(), {
      spec: limited,
      allocatable,
    })
    assert.equal(text, '1024')
  })

  test('other resources are rejected', () => {
    assert.throws(() => resourceField({ resource: 'limits.gpu' }, testContainer(), { spec, allocatable }), {
      message: 'unsupported container resource : limits.gpu',
    })
  })

  test('a selector can name another container', () => {
    const other = testContainer({ name: 'other' })
    const own = testContainer()
    const both = testPod({ containers: [own, other] }).spec
    assert.equal(selectedContainer('other', own, both), other)
    assert.equal(selectedContainer('', own, both), own)
    assert.throws(() => selectedContainer('none', own, both), { message: 'container none not found' })
  })
})
