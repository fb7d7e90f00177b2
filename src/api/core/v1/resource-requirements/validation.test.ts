import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fieldPath } from '../../../../schema/field-path.js'
import type { ResourceRequirements } from '../resource-requirements.js'
import { claimNames, usesBrokenHugePages, validateContainerResources, validatePodLevelResources } from './validation.js'

const context = { claims: new Set(['gpu', 'net']), anyHugePages: () => false }
const problems = (requirements: ResourceRequirements, more = {}) =>
  validateContainerResources(requirements, fieldPath('r'), { ...context, ...more }).map(String)

describe('what a container asks for', () => {
  test('does not exceed its limits', () => {
    assert.deepEqual(problems({}), [])
    assert.deepEqual(problems({ requests: { cpu: '1' }, limits: { cpu: '1500m', memory: '1Gi' } }), [])
    assert.deepEqual(problems({ requests: { cpu: '1' }, limits: { cpu: '1000m' } }), [])
    assert.deepEqual(problems({ requests: { cpu: '2' }, limits: { cpu: '1' } }), [
      'r.requests: Invalid value: "2": must be less than or equal to cpu limit of 1',
    ])
  })

  test('equals the limits for resources without overcommit', () => {
    assert.deepEqual(problems({ requests: { 'example.com/gpu': '1' } }), [
      'r.limits: Required value: Limit must be set for non overcommitable resources',
    ])
    assert.deepEqual(problems({ requests: { 'example.com/gpu': '1' }, limits: { 'example.com/gpu': '2' } }), [
      'r.requests: Invalid value: "1": must be equal to example.com/gpu limit of 2',
    ])
  })

  test('has names and amounts that are good', () =>
    assert.deepEqual(problems({ limits: { gpus: '-1' }, requests: { gpus: '-1' } }), [
      ...['limits', 'requests'].flatMap((list) => [
        `r.${list}[gpus]: Invalid value: "gpus": must be a standard resource type or fully qualified`,
        `r.${list}[gpus]: Invalid value: "gpus": must be a standard resource for containers`,
        `r.${list}[gpus]: Invalid value: "-1": must be greater than or equal to 0`,
      ]),
    ]))

  test('has whole huge pages, beside something else', () => {
    const pages = (amount: string) => ({ limits: { cpu: '1', 'hugepages-2Mi': amount } })
    assert.deepEqual(problems(pages('4Mi')), [])
    assert.deepEqual(problems({ limits: { 'hugepages-2Mi': '4Mi' } }), [
      'r: Forbidden: HugePages require cpu or memory',
    ])
    assert.deepEqual(problems(pages('3Mi')), [
      'r.limits[hugepages-2Mi]: Invalid value: "3Mi": 3Mi is not positive integer multiple of hugepages-2Mi',
    ])
    assert.deepEqual(problems(pages('3Mi'), { anyHugePages: () => true }), [])
    assert.deepEqual(problems({ limits: { memory: '1', 'hugepages-x': '1' } }).length, 1)
  })

  test('has claims that the pod has, each part once', () => {
    const claims = (...names: readonly string[]) =>
      problems({
        claims: names.map((name) => {
          const [claim = '', request] = name.split('/')
          return { name: claim, ...(request !== undefined && { request }) }
        }),
      })
    const known = 'must be one of the names in pod.spec.resourceClaims'
    assert.deepEqual(claims('gpu', 'net'), [])
    assert.deepEqual(claims('gpu/a', 'gpu/b'), [])
    assert.deepEqual(claims('', 'gpu', 'gpu'), ['r.claims[0]: Required value', 'r.claims[2]: Duplicate value: "gpu"'])
    assert.deepEqual(claims('gpu/a', 'gpu/a', 'gpu'), [
      'r.claims[1]: Duplicate value: "gpu/a"',
      'r.claims[2]: Duplicate value: "gpu"',
    ])
    assert.deepEqual(claims('gpu/x.y'), ['r.claims[0].request: Invalid value: "x.y": must not contain dots'])
    assert.deepEqual(claims('disk'), [`r.claims[0]: Not found: "disk": ${known}: gpu, net`])
    assert.deepEqual(problems({ claims: [{ name: 'gpu' }] }, { claims: new Set() }), [
      `r.claims[0]: Not found: "gpu": ${known} which is empty`,
    ])
  })
})

describe('what a pod asks for as a whole', () => {
  test('is less than containers can ask for', () =>
    assert.deepEqual(
      validatePodLevelResources({ limits: { cpu: '1', 'ephemeral-storage': '1' } }, fieldPath('r'), context).map(
        String,
      ),
      [
        'r.limits[ephemeral-storage]: Unsupported value: "ephemeral-storage": supported values: "cpu", "hugepages-", "memory"',
      ],
    ))
})

describe('a pod', () => {
  test('has claims with names', () => {
    assert.equal(claimNames({ containers: [] }).size, 0)
    assert.deepEqual([...claimNames({ containers: [], resourceClaims: [{ name: 'a' }, { name: '' }] })], ['a'])
  })

  test('may have come with broken huge pages', () => {
    const app = (amount: string) => ({ name: 'app', resources: { limits: { 'hugepages-2Mi': amount } } })
    assert.equal(usesBrokenHugePages({ containers: [app('2Mi')] }), false)
    assert.equal(usesBrokenHugePages({ containers: [app('2Mi')], initContainers: [app('1Mi')] }), true)
    assert.equal(usesBrokenHugePages({ containers: [], overhead: { 'hugepages-2Mi': '1' } }), true)
  })
})
