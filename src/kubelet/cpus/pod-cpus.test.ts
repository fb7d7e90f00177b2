import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { environment } from '../../base/environment.js'
import { VirtualClock } from '../../base/virtual-clock.js'
import { testContainer, testPod } from '../containers/pod.test.kit.js'
import { cpuManager } from './cpu-manager.js'
import { cpuManagerFor } from './cpu-policy.js'
import { CpuSet } from './cpu-set.js'
import { CpuReconciler } from './pod-cpus.js'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'proa-cpus-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const four = [0, 1, 2, 3].map((cpu) => ({ cpu, core: cpu, socket: 0, numaNode: 0 }))

function guaranteed(cpu: string) {
  const amounts = { cpu, memory: '1Gi' }
  return { requests: amounts, limits: amounts }
}

describe('the CPU policy', () => {
  const runtime = { updateContainerResources: async () => ({}) }
  const parts = () => ({ runtime, identity: { rootFolder: folder }, topology: four, reservations: [] })

  test('is none by default', () => {
    assert.equal(cpuManagerFor({ ...parts(), settings: {} }), undefined)
  })

  test('reserves whole CPUs for the node, or the configured ones', () => {
    const settings = { policy: 'static' as const }
    const reservations = [{ cpu: '700m' }, { cpu: '500m' }, undefined]
    assert.equal(cpuManagerFor({ ...parts(), settings, reservations })?.wholeCores, 2)
    const reserved = CpuSet.parse('3')
    assert.equal(cpuManagerFor({ ...parts(), settings: { ...settings, reserved }, reservations })?.wholeCores, 3)
    assert.throws(() => cpuManagerFor({ ...parts(), settings }), /to be greater than zero/)
  })

  test('cannot change while a checkpoint of another policy exists', async () => {
    const reservations = [{ cpu: '1' }]
    const manager = cpuManagerFor({ ...parts(), settings: { policy: 'static' }, reservations })!
    const resources = guaranteed('1')
    await manager.allocate(testPod({ containers: [testContainer({ resources })] }))
    assert.throws(
      () => cpuManagerFor({ ...parts(), settings: { policy: 'none' } }),
      /configured policy "none" differs from state checkpoint policy "static", please drain this node/,
    )
  })
})

describe('the CPU reconciler', () => {
  test('moves other containers away before a pod starts, and back afterwards', async () => {
    const moved: string[] = []
    const runtime = {
      updateContainerResources: async ({ containerId = '', linux = {} }) => {
        moved.push(`${containerId} ${(linux as { cpusetCpus?: string }).cpusetCpus}`)
        return {}
      },
    }
    const manager = cpuManager({ runtime, identity: { rootFolder: folder }, reserved: 1, topology: four })
    const pods = () => [{ uid: 'other', containers: [{ id: 'x', name: 'c', state: 'running' as const }] }]
    const clock = new VirtualClock()
    const keeper = new CpuReconciler({ environment: environment({ clock }), manager, pods, reconcilePeriod: 10_000 })
    const resources = guaranteed('2')
    const pod = testPod({ containers: [testContainer({ resources })] })
    await keeper.ensure(pod)
    await keeper.ensure(pod)
    assert.deepEqual(moved, ['x 0,3'])
    await keeper.retain(new Set([pod.metadata.uid!]))
    assert.equal(moved.length, 1)
    await keeper.release(pod.metadata.uid!)
    assert.deepEqual(moved, ['x 0,3', 'x 0-3'])
    keeper.close()
  })
})
