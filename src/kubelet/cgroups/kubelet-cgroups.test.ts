import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, beforeEach, describe, test } from 'node:test'
import type { Pod } from '../../api/core/v1/pod.js'
import { systemClock } from '../../base/clock.js'
import { testContainer, testPod } from '../containers/pod.test.kit.js'
import { CgroupTree } from './cgroup-tree.js'
import { mountedHierarchies } from './hierarchies.js'
import { type PodCgroupDependencies, podCgroups } from './kubelet-cgroups.js'

const environment = { clock: systemClock }

const guaranteed = podAsking('g', { requests: { cpu: '1', memory: '64Mi' }, limits: { cpu: '1', memory: '64Mi' } })
const burstable = podAsking('b', { requests: { cpu: '500m' }, limits: { memory: '64Mi' } })
const bestEffort = podAsking('e', {})

describe('cgroups of version 2, in a plain folder', () => {
  let folder = ''
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'proa-cgroups-'))
    writeFileSync(join(folder, 'cgroup.controllers'), 'cpu memory pids\n')
    writeFileSync(join(folder, 'cgroup.subtree_control'), 'pids\n')
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  const made = (more: Partial<PodCgroupDependencies> = {}) =>
    podCgroups({
      environment,
      hierarchies: [{ folder, version: 2, controllers: [] }],
      limits: { hugePageSizes: [] },
      ...more,
    })
  const read = (path: string) => readFileSync(join(folder, path), 'utf8')

  test('each QoS class and each pod has a cgroup with its limits', async () => {
    const cgroups = made()
    assert.equal(await cgroups.ensure(guaranteed), '/kubepods/podg')
    assert.equal(await cgroups.ensure(burstable), '/kubepods/burstable/podb')
    assert.equal(await cgroups.ensure(bestEffort), '/kubepods/besteffort/pode')
    assert.equal(read('kubepods/podg/cpu.max'), '100000 100000')
    assert.equal(read('kubepods/podg/memory.max'), String(64 * 2 ** 20))
    assert.equal(read('kubepods/burstable/podb/cpu.weight'), '20')
    assert.equal(existsSync(join(folder, 'kubepods/burstable/podb/cpu.max')), false)
    assert.equal(read('kubepods/burstable/cpu.weight'), '20')
    assert.equal(read('kubepods/besteffort/cpu.weight'), '1')
    assert.match(read('cgroup.subtree_control'), /^\+cpu \+memory/)
    assert.deepEqual([...(await cgroups.known())].sort(), ['b', 'e', 'g'])
  })

  test("with systemd's names, below a configured root", async () => {
    const cgroups = made({ driver: 'systemd', root: '/mine' })
    assert.equal(
      await cgroups.ensure(burstable),
      '/mine.slice/mine-kubepods.slice/mine-kubepods-burstable.slice/mine-kubepods-burstable-podb.slice',
    )
    assert.deepEqual(await cgroups.known(), ['b'])
  })

  test('the burstable cgroup has the shares of all its pods, also after a restart', async () => {
    const cgroups = made()
    const second = podAsking('b2', { requests: { cpu: '1500m' } })
    await Promise.all([cgroups.ensure(burstable), cgroups.ensure(second)])
    const ofBoth = read('kubepods/burstable/cpu.weight')
    assert.equal(ofBoth, '79')
    const later = made()
    await later.ensure(podAsking('b3', { requests: { cpu: '1' } }))
    assert.ok(Number(read('kubepods/burstable/cpu.weight')) > Number(ofBoth))
  })

  test('all pods together can be limited', async () => {
    await made({ enforced: { cpu: '2', memory: '1Gi' } }).ensure(bestEffort)
    assert.deepEqual([read('kubepods/memory.max'), read('kubepods/cpu.weight')], [String(2 ** 30), '79'])
  })

  test('limits are set once, and again when they change', async () => {
    const cgroups = made()
    await cgroups.ensure(burstable)
    writeFileSync(join(folder, 'kubepods/burstable/podb/cpu.weight'), 'untouched')
    await cgroups.ensure(burstable)
    assert.equal(read('kubepods/burstable/podb/cpu.weight'), 'untouched')
    await cgroups.ensure(podAsking('b', { requests: { cpu: '2' } }))
    assert.equal(read('kubepods/burstable/podb/cpu.weight'), '79')
  })

  test('without QoS cgroups, none is created', async () => {
    const cgroups = made({ perQos: false })
    assert.equal(await cgroups.ensure(burstable), '')
    assert.deepEqual(await cgroups.known(), [])
    await cgroups.remove('b')
    assert.equal(existsSync(join(folder, 'kubepods')), false)
  })
})

describe('cgroups of this host', { skip: unable() }, () => {
  const root = `/proa-test-cgroups-${process.pid}`
  const hierarchies = mountedHierarchies()
  const folders = hierarchies.map(({ folder }) => join(folder, root))
  const cgroups = podCgroups({ environment, root })
  const children: ChildProcess[] = []
  // Timers of the clock do not keep the process alive.
  const alive = setInterval(() => {}, 1000)
  after(async () => {
    for (const child of children) child.kill('SIGKILL')
    await new CgroupTree(hierarchies, systemClock).remove(root).finally(() => clearInterval(alive))
    assert.deepEqual(folders.filter(existsSync), [])
  })

  const folderOf = (controller: string) => {
    const at = hierarchies.findIndex(({ controllers }) => controllers.includes(controller))
    return folders[Math.max(at, 0)]!
  }
  const inside = (folder: string): ChildProcess => {
    const child = spawn('sleep', ['1000'], { stdio: 'ignore' })
    children.push(child)
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'cgroup.procs'), String(child.pid))
    return child
  }

  test('are created in every hierarchy, hold processes, and are removed with them', async () => {
    const path = await cgroups.ensure(guaranteed)
    assert.equal(path, `${root}/kubepods/podg`)
    for (const folder of folders) assert.ok(existsSync(join(folder, 'kubepods/podg')), folder)
    // A cpuset cgroup accepts no process before it has CPUs, which the runtime sets.
    const below = folders.filter((folder) => folder !== folderOf('cpuset'))
    const processes = [
      inside(join(folderOf('cpuset'), 'kubepods/podg')),
      ...below.map((folder) => inside(join(folder, 'kubepods/podg/container'))),
    ]
    const ends = processes.map((child) => once(child, 'exit'))
    assert.deepEqual(await cgroups.known(), ['g'])
    await cgroups.remove('g')
    for (const [, signal] of await Promise.all(ends)) assert.equal(signal, 'SIGKILL')
    assert.deepEqual(await cgroups.known(), [])
    for (const folder of folders) assert.equal(existsSync(join(folder, 'kubepods/podg')), false)
  })

  test('limit their processes', async () => {
    await cgroups.ensure(guaranteed)
    await cgroups.ensure(burstable)
    const isUnified = hierarchies.every(({ version }) => version === 2)
    const read = (controller: string, file: string) =>
      readFileSync(join(folderOf(controller), 'kubepods', file), 'utf8').trim()
    if (isUnified) {
      assert.equal(read('cpu', 'podg/cpu.max'), '100000 100000')
      assert.equal(read('memory', 'podg/memory.max'), String(64 * 2 ** 20))
    } else {
      assert.equal(read('cpu', 'podg/cpu.cfs_quota_us'), '100000')
      assert.equal(read('cpu', 'podg/cpu.shares'), '1024')
      assert.equal(read('memory', 'podg/memory.limit_in_bytes'), String(64 * 2 ** 20))
      assert.equal(read('cpu', 'burstable/cpu.shares'), '512')
      assert.equal(read('cpu', 'besteffort/cpu.shares'), '2')
    }
    await cgroups.remove('b')
    if (!isUnified) assert.equal(read('cpu', 'burstable/cpu.shares'), '2')
    await cgroups.remove('g')
  })

  test('are removed also with frozen processes', { skip: !hierarchies.some(hasFreezer) && 'no freezer' }, async () => {
    await cgroups.ensure(bestEffort)
    const folder = join(folderOf('freezer'), 'kubepods/besteffort/pode/frozen')
    const child = inside(folder)
    writeFileSync(join(folder, 'freezer.state'), 'FROZEN')
    const end = once(child, 'exit')
    await cgroups.remove('e')
    await end
    assert.equal(existsSync(folder), false)
  })

  test('removing a missing cgroup does nothing', async () => {
    await cgroups.remove('never')
  })
})

function hasFreezer({ controllers }: { readonly controllers: readonly string[] }): boolean {
  return controllers.includes('freezer')
}

function unable(): string | false {
  if (process.getuid?.() !== 0) return 'needs root'
  return mountedHierarchies().length === 0 && 'no cgroups are mounted'
}

function podAsking(uid: string, resources: object): Pod {
  return testPod({ containers: [testContainer({ resources })] }, { uid })
}
