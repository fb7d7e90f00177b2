import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, test } from 'node:test'
import fc from 'fast-check'
import type { Container } from '../../api/core/v1/container.js'
import type { Pod } from '../../api/core/v1/pod.js'
import { CriError } from '../../cri/cri-error.js'
import { testContainer, testPod } from '../containers/pod.test.kit.js'
import { checkpointText } from './cpu-checkpoint.js'
import { chooseCpus } from './cpu-choice.js'
import { CpuAdmissionError, type CpuManager, cpuManager, type PodOnCpus } from './cpu-manager.js'
import { CpuSet } from './cpu-set.js'
import { allCpus, type CpuTopology, hostTopology } from './cpu-topology.js'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'proa-cpus-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

/** Two sockets of cores with two threads each: CPUs 0-3 and 8-11 are on the first socket. */
const large = topologyOf({ sockets: 2, cores: 4, threads: 2 })
const small = topologyOf({ sockets: 1, cores: 4, threads: 1 })

describe('a CPU set', () => {
  test("is parsed and formatted in the kernel's notation", () => {
    for (const text of ['', '0', '0-3', '0-2,5,7-8']) assert.equal(CpuSet.parse(text).toString(), text)
    assert.equal(CpuSet.parse('3,1,2,1\n').toString(), '1-3')
    for (const text of ['a', '3-1', '1,,2', '-1']) assert.throws(() => CpuSet.parse(text), /is not a CPU set/)
  })
})

describe('a choice of CPUs', () => {
  const table: readonly (readonly [
    what: string,
    topology: CpuTopology,
    free: string,
    count: number,
    chosen: string,
  ])[] = [
    ['one', small, '0-3', 1, '0'],
    ['a whole core before two halves', large, '0-15', 2, '0,8'],
    ['a whole socket, if there is one', large, '0-2,4-15', 8, '4-7,12-15'],
    ['a socket and a core of the other', large, '0-15', 10, '0-4,8-12'],
    ['the rest of a core that is in use before half of a free one', large, '1-15', 1, '8'],
    ['cores of the socket that has less left', large, '2-15', 4, '2-3,10-11'],
    ['all', large, '0-15', 16, '0-15'],
    ['none', large, '0-15', 0, ''],
  ]
  for (const [what, topology, free, count, chosen] of table)
    test(what, () => assert.equal(chooseCpus(topology, CpuSet.parse(free), count).toString(), chosen))

  test('is rejected if there are too few', () => {
    assert.throws(() => chooseCpus(small, CpuSet.parse('1-3'), 4), {
      message: 'not enough cpus available to satisfy request: requested=4, available=3',
    })
  })

  test('has the requested size and only free CPUs', () => {
    const free = fc.subarray(allCpus(large).cpus as number[]).map((cpus) => CpuSet.of(cpus))
    fc.assert(
      fc.property(free, fc.double({ min: 0, max: 1, noNaN: true }), (set, part) => {
        const count = Math.round(part * set.size)
        const chosen = chooseCpus(large, set, count)
        assert.equal(chosen.size, count)
        assert.equal(chosen.without(set).size, 0)
      }),
    )
  })
})

describe('the checkpoint', () => {
  test("equals upstream's, with its checksum", () => {
    const parse = (text: string) => CpuSet.parse(text)
    const containers = new Map([
      ['container2', parse('1-3')],
      ['container1', parse('4-6')],
    ])
    const exclusive = new Map([['pod', containers]])
    assert.deepEqual(
      [
        checkpointText({ policy: 'none', shared: CpuSet.none, exclusive: new Map() }),
        checkpointText({ policy: 'none', shared: parse('4-6'), exclusive: new Map() }),
        checkpointText({ policy: 'none', shared: parse('1-3'), exclusive }),
      ],
      [
        '{"policyName":"none","defaultCpuSet":"","checksum":1353318690}',
        '{"policyName":"none","defaultCpuSet":"4-6","checksum":354655845}',
        '{"policyName":"none","defaultCpuSet":"1-3","entries":{"pod":{"container1":"4-6","container2":"1-3"}},"checksum":3610638499}',
      ],
    )
  })

  const refused = (text: string, message: RegExp) => {
    writeFileSync(join(folder, 'cpu_manager_state'), text)
    assert.throws(() => manager(small), { message })
  }

  test('is rejected if it is corrupted or from another host', () => {
    const text = (shared: string, entries: Record<string, string> = {}, policy = 'static') =>
      checkpointText({
        policy,
        shared: CpuSet.parse(shared),
        exclusive: new Map([['p', new Map(Object.entries(entries).map(([name, cpus]) => [name, CpuSet.parse(cpus)]))]]),
      })
    refused('{"policyName":"static","defaultCpuSet":"0-3","checksum":1}', /^checkpoint is corrupted$/)
    refused(text('0-3', {}, 'none'), /configured policy "static" differs from state checkpoint policy "none"/)
    refused(text('1-3', { c: '0' }), /not all reserved cpus: "0" are present in defaultCpuSet: "1-3"/)
    refused(text('0-3', { c: '1' }), /pod: p, container: c cpuset: "1" overlaps with default cpuset "0-3"/)
    refused(text('0-4'), /current set of available CPUs "0-3" doesn't match with CPUs in state "0-4"/)
    refused(text('0-4'), /please drain this node and delete the CPU manager checkpoint file ".*cpu_manager_state"/)
  })
})

describe('the allocation', () => {
  test('gives whole CPUs to containers of Guaranteed pods, and the rest to all others', async () => {
    const cpus = manager(small)
    assert.equal(cpus.wholeCores, 3)
    const pod = guaranteed('a', [whole('two', 2), whole('half', 0.5)])
    await cpus.allocate(pod)
    await cpus.allocate(testPod({}, { uid: 'b' }))
    assert.equal(cpus.cpusOf('a', 'two'), '1-2')
    assert.equal(cpus.cpusOf('a', 'half'), '0,3')
    assert.equal(cpus.cpusOf('b', 'c'), '0,3')
    assert.deepEqual(
      [cpus.hasExclusive(pod), cpus.hasExclusive(pod, pod.spec.containers[1]), cpus.hasExclusive(testPod())],
      [true, false, false],
    )
  })

  test('ignores pods with pod-level resources and Burstable pods', async () => {
    const cpus = manager(small)
    const asWhole = testPod(
      { resources: { requests: { cpu: '2', memory: '1Gi' }, limits: { cpu: '2', memory: '1Gi' } } },
      { uid: 'a' },
    )
    await cpus.allocate(asWhole)
    await cpus.allocate(
      testPod({ containers: [testContainer({ resources: { requests: { cpu: '2' } } })] }, { uid: 'b' }),
    )
    assert.equal(cpus.cpusOf('a', 'c'), '0-3')
  })

  test('is rejected if there are too few, and allocates nothing', async () => {
    const cpus = manager(small)
    await assert.rejects(cpus.allocate(guaranteed('a', [whole('one', 1), whole('three', 3)])), (error) => {
      assert.ok(error instanceof CpuAdmissionError)
      assert.equal(error.reason, 'UnexpectedAdmissionError')
      assert.equal(
        error.message,
        'Allocate failed due to not enough cpus available to satisfy request: requested=3, available=2, which is unexpected',
      )
      return true
    })
    assert.equal(cpus.cpusOf('x', 'any'), '0-3')
  })

  test('reuses CPUs of init containers; a sidecar keeps its own', async () => {
    const cpus = manager(small)
    const side = { ...whole('side', 1), restartPolicy: 'Always' as const }
    await cpus.allocate(guaranteed('a', [whole('main', 2)], [whole('init', 3), side]))
    const of = (name: string) => CpuSet.parse(cpus.cpusOf('a', name))
    assert.equal(of('init').size, 3)
    assert.equal(of('side').without(of('init')).size, 0)
    assert.equal(of('main').without(of('init')).size, 0)
    assert.equal(of('main').intersection(of('side')).size, 0)
  })

  test('reserves exactly the configured CPUs', async () => {
    const cpus = manager(small, CpuSet.parse('2-3'))
    await cpus.allocate(guaranteed('a', [whole('c', 2)]))
    assert.equal(cpus.cpusOf('a', 'c'), '0-1')
    assert.throws(() => manager(small, 0), /requires systemreserved\.cpu \+ kubereserved\.cpu to be greater than zero/)
  })

  test('never gives a CPU to two containers, frees all in the end, and survives restarts', async () => {
    const step = fc.record({
      uid: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
      action: fc.constantFrom('allocate' as const, 'release' as const, 'restart' as const),
      counts: fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 3 }),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
        rmSync(join(folder, 'cpu_manager_state'), { force: true })
        const pods = new Map<string, Pod>()
        let cpus = manager(large)
        for (const { uid, action, counts } of steps) {
          const before = handedOut(cpus, pods)
          if (action === 'restart') cpus = manager(large)
          if (action === 'release') await cpus.release(uid)
          if (action === 'release') pods.delete(uid)
          const pod = guaranteed(
            uid,
            counts.map((count, i) => whole(`c${i}`, count)),
          )
          if (action === 'allocate' && !pods.has(uid) && (await isAllocated(cpus, pod))) pods.set(uid, pod)
          const after = handedOut(cpus, pods)
          for (const [name, set] of before) if (after.has(name)) assert.equal(after.get(name), set)
          verifyDisjoint(after, cpus)
        }
        await cpus.retain(new Set())
        assert.equal(cpus.cpusOf('none', 'none'), '0-15')
      }),
      { numRuns: 40 },
    )
  })
})

describe('a reconcile', () => {
  test('moves a container once when its CPUs change', async () => {
    const told: string[] = []
    const cpus = manager(small, 1, (id, set) => told.push(`${id} ${set}`))
    const running = [observed('a', 'alone', 'main'), observed('b', 'shared', 'c')]
    await cpus.reconcile(running)
    assert.deepEqual(told.splice(0), ['alone 0-3', 'shared 0-3'])
    await cpus.allocate(guaranteed('a', [whole('main', 2)]))
    await cpus.reconcile(running)
    assert.deepEqual(told.splice(0), ['alone 1-2', 'shared 0,3'])
    await cpus.reconcile(running)
    assert.deepEqual(told, [])
    await cpus.release('a')
    await cpus.reconcile(running.slice(1))
    assert.deepEqual(told, ['shared 0-3'])
  })

  test('retries if the runtime failed, unless the container has exited', async () => {
    let answer: CriError | undefined = new CriError('Unavailable', 'away')
    let asked = 0
    const cpus = manager(small, 1, () => {
      asked++
      if (answer) throw answer
    })
    const running = [observed('b', 'id', 'c')]
    await assert.rejects(cpus.reconcile(running), answer)
    answer = new CriError('NotFound', 'gone')
    await cpus.reconcile(running)
    answer = undefined
    await cpus.reconcile(running)
    await cpus.reconcile(running)
    assert.equal(asked, 3)
  })

  test('moves only running containers', async () => {
    let asked = 0
    const cpus = manager(small, 1, () => asked++)
    await cpus.reconcile([observed('b', 'id', 'c', 'exited')])
    assert.equal(asked, 0)
  })
})

test('this host has CPUs with distinct locations', () => {
  const topology = hostTopology()
  assert.ok(topology.length > 0)
  assert.equal(allCpus(topology).size, topology.length)
})

function manager(
  topology: CpuTopology,
  reserved: number | CpuSet = 1,
  tell: (id: string, cpus: string) => void = () => {},
): CpuManager {
  return cpuManager({
    identity: { rootFolder: folder },
    topology,
    reserved,
    runtime: {
      updateContainerResources: async ({ containerId = '', linux }) => {
        tell(containerId, linux?.cpusetCpus ?? '')
        return {}
      },
    },
  })
}

function topologyOf(shape: { sockets: number; cores: number; threads: number }): CpuTopology {
  const count = shape.sockets * shape.cores
  return Array.from({ length: count * shape.threads }, (_, cpu) => {
    const socket = Math.floor((cpu % count) / shape.cores)
    return { cpu, core: cpu % count, socket, numaNode: socket }
  })
}

function whole(name: string, cpu: number): Container {
  const amounts = { cpu: String(cpu), memory: '1Mi' }
  return testContainer({ name, resources: { requests: amounts, limits: amounts } })
}

function guaranteed(uid: string, containers: Container[], initContainers: Container[] = []): Pod {
  return testPod({ containers, initContainers }, { uid })
}

async function isAllocated(cpus: CpuManager, pod: Pod): Promise<boolean> {
  try {
    await cpus.allocate(pod)
    return true
  } catch (error) {
    if (error instanceof CpuAdmissionError) return false
    throw error
  }
}

function handedOut(cpus: CpuManager, pods: ReadonlyMap<string, Pod>): ReadonlyMap<string, string> {
  return new Map(
    [...pods].flatMap(([uid, { spec }]) =>
      spec.containers.map(({ name }) => [`${uid}/${name}`, cpus.cpusOf(uid, name)] as const),
    ),
  )
}

function verifyDisjoint(sets: ReadonlyMap<string, string>, cpus: CpuManager): void {
  const all = [...sets.values(), cpus.cpusOf('none', 'none')].flatMap((set) => CpuSet.parse(set).cpus)
  assert.equal(new Set(all).size, all.length)
  assert.equal(all.length, 16)
  const file = join(folder, 'cpu_manager_state')
  if (!existsSync(file)) return
  assert.equal(JSON.parse(readFileSync(file, 'utf8')).defaultCpuSet, cpus.cpusOf('none', 'none'))
}

function observed(uid: string, id: string, name: string, state: 'running' | 'exited' = 'running'): PodOnCpus {
  return { uid, containers: [{ id, name, state }] }
}
