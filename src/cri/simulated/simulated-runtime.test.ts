import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { environment } from '../../base/environment.js'
import { seededRandom } from '../../base/random.js'
import { VirtualClock } from '../../base/virtual-clock.js'
import { inProcessRuntime } from '../in-process.js'
import type { ContainerConfig } from '../interface/container.js'
import type { PartialMessage } from '../interface/message.js'
import type { PodSandboxConfig } from '../interface/sandbox-config.js'
import type { ContainerRuntime } from '../interface/services.js'
import { AddressPool } from './address-pool.js'
import { logLines } from './container-log.js'
import { SimulationScenario } from './scenario.js'
import { type SimulatedRuntimeOptions, simulatedRuntime } from './simulated-runtime.js'

const root = mkdtempSync(join(tmpdir(), 'proa-simulated-'))
after(() => rmSync(root, { recursive: true }))
let folders = 0
function newFolder(): string {
  const folder = join(root, `${folders++}`)
  mkdirSync(folder)
  return folder
}

interface Simulation {
  readonly clock: VirtualClock
  readonly runtime: ContainerRuntime
  sandbox(parts?: PartialMessage<PodSandboxConfig>): Promise<string>
  /** Returns the id of a started container. */
  start(sandbox: string, behaviour: unknown, parts?: PartialMessage<ContainerConfig>): Promise<string>
  state(containerId: string): Promise<string>
}

async function simulation(options: Partial<SimulatedRuntimeOptions> = {}): Promise<Simulation> {
  const clock = new VirtualClock()
  const world = environment({ clock, random: seededRandom(7) })
  const runtime = inProcessRuntime(await simulatedRuntime({ environment: world, ...options }), { environment: world })
  await runtime.pullImage({ image: { image: 'web' } })
  let made = 0
  return {
    clock,
    runtime,
    async sandbox(parts = {}) {
      const metadata = { name: `pod-${made}`, uid: `uid-${made++}`, namespace: 'default' }
      return (await runtime.runPodSandbox({ config: { metadata, ...parts } })).podSandboxId
    },
    async start(podSandboxId, behaviour, parts = {}) {
      const annotations = { 'simulation.proa.dev/main': JSON.stringify(behaviour) }
      const config = { metadata: { name: 'main', attempt: made++ }, image: { image: 'web' }, annotations, ...parts }
      const { containerId } = await runtime.createContainer({ podSandboxId, config })
      await runtime.startContainer({ containerId })
      return containerId
    },
    async state(containerId) {
      const { status } = await runtime.containerStatus({ containerId })
      return status?.state === 'CONTAINER_EXITED' ? `exited ${status.exitCode}` : `${status?.state}`
    },
  }
}

/** Advances the clock while a promise is pending. */
async function during<T>(clock: VirtualClock, span: string, work: Promise<T>): Promise<T> {
  const outcome = work.then(
    (value) => ({ value }),
    (error: Error) => ({ error }),
  )
  await clock.advance(span)
  const ended = await outcome
  if ('error' in ended) throw ended.error
  return ended.value
}

describe('a simulated container', () => {
  test('runs on the given clock: an hour passes at once', async () => {
    const { clock, sandbox, start, state, runtime } = await simulation()
    const containerId = await start(await sandbox(), { runFor: '1h', exitCode: 4 })
    await clock.advance('59m59s')
    assert.equal(await state(containerId), 'CONTAINER_RUNNING')
    await clock.advance('1s')
    assert.equal(await state(containerId), 'exited 4')
    const { status } = await runtime.containerStatus({ containerId })
    assert.equal(Math.round(Number(status!.finishedAt - status!.startedAt) / 1e6), 3_600_000)
    assert.equal(clock.pending, 0)
  })

  test('starts and stops with a delay', async () => {
    const { clock, sandbox, start, state, runtime } = await simulation()
    const pod = await sandbox()
    const containerId = await during(clock, '5s', start(pod, { startDelay: '5s', stop: { after: '20s', exitCode: 2 } }))
    await during(clock, '20s', runtime.stopContainer({ containerId, timeout: 30 }))
    assert.equal(await state(containerId), 'exited 2')
    const slow = await start(pod, { stop: { after: '20s' } })
    await during(clock, '10s', runtime.stopContainer({ containerId: slow, timeout: 10 }))
    assert.equal(await state(slow), 'exited 137')
  })

  test('has one behaviour per attempt, and keeps the last one', async () => {
    const { clock, sandbox, start, state } = await simulation()
    const pod = await sandbox()
    const attempts = [{ runFor: '1s', exitCode: 1 }, { runFor: '1s', exitCode: 2 }, {}]
    const states: string[] = []
    for (const attempt of [0, 1, 2, 3]) {
      const containerId = await start(pod, attempts, { metadata: { name: 'main', attempt } })
      await clock.advance('2s')
      states.push(await state(containerId))
    }
    assert.deepEqual(states, ['exited 1', 'exited 2', 'CONTAINER_RUNNING', 'CONTAINER_RUNNING'])
  })

  test('writes output to its log at the given times', async () => {
    const { clock, sandbox, start } = await simulation()
    const logDirectory = newFolder()
    const output = [
      { text: 'up' },
      { text: 'oops', stream: 'stderr', after: '3s' },
      { text: 'tick', every: '2s', after: '2s' },
    ]
    await start(await sandbox({ logDirectory }), { output, runFor: '7s' }, { logPath: 'main.log' })
    await clock.advance('1m')
    assert.equal(
      readFileSync(join(logDirectory, 'main.log'), 'utf8').replace(/\.\d{9}Z/g, 'Z'),
      `2026-01-01T00:00:00Z stdout F up
2026-01-01T00:00:02Z stdout F tick
2026-01-01T00:00:03Z stderr F oops
2026-01-01T00:00:04Z stdout F tick
2026-01-01T00:00:06Z stdout F tick
`,
    )
  })

  test('is killed when its limit falls below its usage', async () => {
    const { sandbox, start, runtime } = await simulation()
    const resources = { memoryLimitInBytes: 128 << 20 }
    const containerId = await start(await sandbox(), { usage: { memory: '64Mi' } }, { linux: { resources } })
    await runtime.updateContainerResources({ containerId, linux: { memoryLimitInBytes: 32 << 20 } })
    const { status } = await runtime.containerStatus({ containerId })
    assert.deepEqual([status?.exitCode, status?.reason], [137, 'OOMKilled'])
  })

  test('reports the given usage while it runs', async () => {
    const { clock, sandbox, start, runtime } = await simulation()
    const pod = await sandbox()
    const containerId = await start(pod, { usage: { cpu: '500m', memory: '64Mi' }, runFor: '20s' })
    await clock.advance('10s')
    const { stats } = await runtime.containerStats({ containerId })
    assert.equal(Math.round((stats?.cpu?.usageCoreNanoSeconds?.value ?? 0) / 1e9), 5)
    assert.equal(stats?.memory?.workingSetBytes?.value, 64 << 20)
    await clock.advance('20s')
    assert.deepEqual((await runtime.listContainerStats({})).stats, [])
  })

  test('is rejected with the reason if its behaviour is invalid', async () => {
    const { sandbox, start } = await simulation()
    const pod = await sandbox()
    const wrong: [behaviour: unknown, message: RegExp][] = [
      [{ runfor: '1s' }, /simulation\.proa\.dev\/main\[?0?\]?: unknown field runfor; known fields: createError, /],
      [{ runFor: 'soon' }, /main\.runFor: "soon" is not a duration such as 1m30s/],
      [{ exec: [{ exitCode: 'x' }] }, /main\.exec\[0\]\.exitCode: "x" is not a whole number/],
      [{ stop: 'never' }, /main\.stop: "never" is not a map/],
      [{ usage: { memory: 'much' } }, /main\.usage\.memory: "much" is not a quantity/],
      ['nothing', /main: "nothing" is not a map/],
    ]
    for (const [behaviour, message] of wrong) await assert.rejects(start(pod, behaviour), message)
  })
})

describe('a scenario', () => {
  const write = async (text: string): Promise<SimulationScenario> => {
    const file = join(newFolder(), 'scenario.yaml')
    writeFileSync(file, text)
    return SimulationScenario.read(file)
  }

  test('defines the behaviour of many pods', async () => {
    const scenario = await write(`
      containers:
      - for: { namespace: batch, image: "*worker*" }
        does: [{ runFor: 1m, exitCode: 1 }, { runFor: 1m }]
      - for: { labels: { app: web } }
        does: { startError: no luck }
      images:
      - { name: "*/slow:*", does: { delay: 30s } }
      - { name: "*/gone:*", does: { error: the registry burned down } }
      sandboxes:
      - { for: { pod: "late-*" }, does: { delay: 5s } }
      - { for: { pod: "bad-*" }, does: { error: no network, failures: 2 } }
      present: [docker.io/acme/worker:1]`)
    const { clock, sandbox, start, state, runtime } = await simulation({ scenario })
    const metadata = (name: string, namespace: string) => ({ name, namespace, uid: name })
    const image = { image: 'acme/worker:1' }

    const batch = await sandbox({ metadata: metadata('job', 'batch') })
    const worker = { image, annotations: {} }
    const [first, second] = [
      await start(batch, {}, { ...worker, metadata: { name: 'w', attempt: 0 } }),
      await start(batch, {}, { ...worker, metadata: { name: 'w', attempt: 5 } }),
    ]
    await clock.advance('1m')
    assert.deepEqual([await state(first), await state(second)], ['exited 1', 'exited 0'])

    const web = await sandbox({ labels: { app: 'web' } })
    await assert.rejects(start(web, {}, { annotations: {} }), /desc = no luck/)
    await start(web, {}) // the pod has the last word

    await during(clock, '30s', runtime.pullImage({ image: { image: 'acme/slow' } }))
    await assert.rejects(runtime.pullImage({ image: { image: 'acme/gone' } }), /: the registry burned down$/)
    const late = sandbox({ metadata: metadata('late-1', 'default') })
    await clock.advance('4s')
    assert.equal((await runtime.listPodSandbox({})).items.length, 2)
    await during(clock, '1s', late)
    for (const outcome of ['fails', 'fails', 'works']) {
      const run = sandbox({ metadata: metadata('bad-1', 'default') })
      if (outcome === 'works') await run
      else await assert.rejects(run, /desc = no network/)
    }
  })

  test('is rejected with the path of an invalid value', async () => {
    await assert.rejects(
      write('containers: [{ for: { pods: x } }]'),
      /scenario\.yaml\.containers\[0\]\.for: unknown field pods/,
    )
    await assert.rejects(write('containers: ['), /yaml/)
  })

  test('stops a pull that the caller cancels', async () => {
    const scenario = new SimulationScenario({ images: [{ name: '*slow*', does: { delay: 3_600_000 } }] })
    const { clock, runtime } = await simulation({ scenario })
    const controller = new AbortController()
    const pull = runtime.pullImage({ image: { image: 'slow' } }, { signal: controller.signal })
    controller.abort(new Error('the pod is gone'))
    await assert.rejects(pull, /the pod is gone/)
    await clock.settle()
    assert.equal(clock.pending, 0)
    assert.equal((await runtime.imageStatus({ image: { image: 'slow' } })).image, undefined)
  })
})

describe('a simulated node', () => {
  test('allocates each address once, reuses released ones, and fails when none is left', async () => {
    const pool = new AddressPool('10.1.2.0/29')
    const taken = Array.from({ length: 5 }, () => pool.take())
    assert.deepEqual(taken, ['10.1.2.2', '10.1.2.3', '10.1.2.4', '10.1.2.5', '10.1.2.6'])
    assert.throws(() => pool.take(), /no IP addresses available in range set/)
    pool.release('10.1.2.4')
    assert.equal(pool.take(), '10.1.2.4')
    assert.equal(new AddressPool('fd00:1::/64').take(), 'fd00:1::2')
    assert.throws(() => new AddressPool('x'), /not an address range/)
  })

  test('uses the address range of the kubelet', async () => {
    const { sandbox, runtime } = await simulation()
    await runtime.updateRuntimeConfig({ runtimeConfig: { networkConfig: { podCidr: '10.9.8.0/24' } } })
    const { status } = await runtime.podSandboxStatus({ podSandboxId: await sandbox() })
    assert.equal(status?.network?.ip, '10.9.8.2')
  })

  test('is one of a thousand in one process, with equal results in each run', async () => {
    const story = async () => {
      const clock = new VirtualClock()
      const world = environment({ clock, random: seededRandom(1) })
      const scenario = new SimulationScenario({ present: ['web'], containers: [{ does: [{ runFor: 60_000 }] }] })
      const nodes = await Promise.all(
        Array.from({ length: 1000 }, async () =>
          inProcessRuntime(await simulatedRuntime({ environment: world, scenario, writeLogs: false }), {
            environment: world,
          }),
        ),
      )
      const ids = await Promise.all(
        nodes.map(async (node, index) => {
          const metadata = { name: `pod-${index}`, uid: `${index}`, namespace: 'default' }
          const { podSandboxId } = await node.runPodSandbox({ config: { metadata } })
          const config = { metadata: { name: 'main' }, image: { image: 'web' } }
          const { containerId } = await node.createContainer({ podSandboxId, config })
          await node.startContainer({ containerId })
          return containerId
        }),
      )
      await clock.advance('1m')
      const lists = await Promise.all(nodes.map((node) => node.listContainers({})))
      assert.ok(lists.every(({ containers: [container] }) => container?.state === 'CONTAINER_EXITED'))
      return ids
    }
    assert.deepEqual(await story(), await story())
  })
})

test('a log line has time, stream and a tag for continuation', () => {
  const time = 1_767_225_600_000_000_001n
  const at = '2026-01-01T00:00:00.000000001Z'
  assert.equal(logLines(time, 'stdout', 'a\n\nb'), `${at} stdout F a\n${at} stdout F \n${at} stdout F b\n`)
  const long = logLines(time, 'stderr', `${'é'.repeat(8192)}x\n`)
  assert.equal(long, `${at} stderr P ${'é'.repeat(8192)}\n${at} stderr F x\n`)
})
