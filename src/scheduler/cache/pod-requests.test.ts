import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Container } from '../../api/core/v1/container.js'
import { samplePod } from '../scheduler.test.kit.js'
import { PodInfo } from './pod-info.js'

const gibi = 2 ** 30

function container(name: string, requests: Readonly<Record<string, string>>, more: Partial<Container> = {}): Container {
  return { name, image: 'image', resources: { requests }, ...more } as Container
}

test('containers add up, and an init container counts if it needs more', () => {
  const containers = [container('a', { cpu: '200m', memory: '1Gi' }), container('b', { cpu: '300m' })]
  const initContainers = [container('i', { cpu: '1', memory: '512Mi' })]
  const { requests } = new PodInfo(samplePod('p', { spec: { containers, initContainers } }))
  assert.deepEqual([requests.milliCpu, requests.memory], [1000, gibi])
})

test('a sidecar adds to the containers and to the init containers after it', () => {
  const containers = [container('a', { cpu: '100m' })]
  const initContainers = [
    container('before', { cpu: '1' }),
    container('sidecar', { cpu: '500m' }, { restartPolicy: 'Always' }),
    container('after', { cpu: '700m' }),
  ]
  assert.equal(new PodInfo(samplePod('p', { spec: { containers, initContainers } })).requests.milliCpu, 1200)
})

test('pod-level requests replace those of the containers, and overhead is added', () => {
  const containers = [container('a', { cpu: '100m', memory: '1Gi' })]
  const spec = { containers, resources: { requests: { cpu: '2' } }, overhead: { cpu: '50m' } }
  const { requests } = new PodInfo(samplePod('p', { spec }))
  assert.deepEqual([requests.milliCpu, requests.memory], [2050, gibi])
})

test('extended resources are counted by name', () => {
  const containers = [
    container('a', { 'example.com/gpu': '1', 'hugepages-2Mi': '4Mi', cpu: '1' }),
    container('b', { 'example.com/gpu': '2' }),
  ]
  const { requests } = new PodInfo(samplePod('p', { spec: { containers } }))
  assert.deepEqual(
    [...requests.extended],
    [
      ['example.com/gpu', 3],
      ['hugepages-2Mi', 4 * 2 ** 20],
    ],
  )
})

test('for scores, a container without requests counts with defaults', () => {
  const containers = [container('a', {}), container('b', { cpu: '1' })]
  const { nonZero, requests } = new PodInfo(samplePod('p', { spec: { containers } }))
  assert.deepEqual([requests.milliCpu, requests.memory], [1000, 0])
  assert.deepEqual(nonZero, { milliCpu: 1100, memory: 400 * 2 ** 20 })
})

test('during a resize the maximum of requested, allocated and actual counts', () => {
  const status = {
    containerStatuses: [{ name: 'c', resources: { requests: { cpu: '3' } }, allocatedResources: { cpu: '2' } }],
  }
  const asks = (cpu: string, more = {}) =>
    new PodInfo(samplePod('p', { requests: { cpu }, status: { ...status, ...more } as never })).requests.milliCpu
  assert.equal(asks('1'), 3000)
  assert.equal(asks('4'), 4000)
  const conditions = [{ type: 'PodResizePending', status: 'True', reason: 'Infeasible' }]
  assert.equal(asks('9', { conditions }), 3000)
})

test('an update with the same requests keeps the derived values', () => {
  const info = new PodInfo(samplePod('p', { requests: { cpu: '1' } }))
  assert.equal(info.on('na').requests, info.requests)
  assert.equal(
    info.updated(samplePod('p', { requests: { cpu: '1' }, status: { phase: 'Running' } })).requests,
    info.requests,
  )
  const resized = info.updated(samplePod('p', { requests: { cpu: '2' }, metadata: { generation: 2 } }))
  assert.equal(resized.requests.milliCpu, 2000)
})
