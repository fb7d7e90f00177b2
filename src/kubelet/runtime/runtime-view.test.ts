import assert from 'node:assert/strict'
import { test } from 'node:test'
import { environment as realEnvironment } from '../../base/environment.js'
import { seededRandom } from '../../base/random.js'
import { VirtualClock } from '../../base/virtual-clock.js'
import { CriError } from '../../cri/cri-error.js'
import { inProcessRuntime } from '../../cri/in-process.js'
import type { ContainerRuntime } from '../../cri/interface/services.js'
import { simulatedRuntime } from '../../cri/simulated/simulated-runtime.js'
import { containerLabels, sandboxLabels } from './labels.js'
import { RuntimeView } from './runtime-view.js'
import { RuntimeWatch } from './runtime-watch.js'

/** A runtime whose calls are counted by name, and can be delayed or failed. */
async function world() {
  const clock = new VirtualClock()
  const environment = realEnvironment({ clock, random: seededRandom(1) })
  const real = inProcessRuntime(await simulatedRuntime({ environment, writeLogs: false }), { environment })
  const calls: string[] = []
  const gates = new Map<string, Promise<void>>()
  const runtime = new Proxy(real, {
    get: (target, name: keyof ContainerRuntime) => (request: object, options: object) => {
      if (name === 'getContainerEvents') return target.getContainerEvents(request, options)
      calls.push(name)
      const answer = (target[name] as (request: object, options: object) => Promise<unknown>)(request, options)
      const gate = gates.get(name)
      return gate ? Promise.all([answer, gate]).then(([value]) => value) : answer
    },
  })
  await real.pullImage({ image: { image: 'web:1' } })
  return { clock, environment, real, runtime, calls, gates, view: new RuntimeView(runtime) }
}

async function run(real: ContainerRuntime, uid: string, name = 'web'): Promise<{ sandbox: string; container: string }> {
  const metadata = { name: uid, namespace: 'ns', uid }
  const pod = { apiVersion: 'v1', kind: 'Pod', metadata, spec: { containers: [] }, status: {} } as const
  const config = { metadata: { ...metadata, attempt: 0 }, labels: sandboxLabels(pod) }
  const { podSandboxId } = await real.runPodSandbox({ config })
  const labels = containerLabels(pod, { name })
  const request = { podSandboxId, config: { metadata: { name, attempt: 0 }, image: { image: 'web:1' }, labels } }
  const { containerId } = await real.createContainer(request)
  await real.startContainer({ containerId })
  return { sandbox: podSandboxId, container: containerId }
}

test('after the first observation, only changes are requested', async () => {
  const { view, real, calls } = await world()
  await run(real, 'a')
  const { container } = await run(real, 'b')
  await view.relist()
  assert.deepEqual(calls.toSorted().slice(0, 2), ['containerStatus', 'containerStatus'])
  calls.length = 0
  await view.relist()
  assert.deepEqual(calls.toSorted(), ['listContainers', 'listPodSandbox'])
  await real.stopContainer({ containerId: container, timeout: 0 })
  calls.length = 0
  const told: string[] = []
  view.onChange((uid) => told.push(uid))
  await view.relist()
  assert.deepEqual(calls.toSorted(), ['containerStatus', 'listContainers', 'listPodSandbox'])
  assert.deepEqual(told, ['b'])
  assert.equal(view.pod('b').containers[0]?.exitCode, 137)
})

test('an older observation does not replace a newer one', async () => {
  const { view, real, gates } = await world()
  const { container } = await run(real, 'a')
  await view.relist()
  let open = () => {}
  gates.set('listContainers', new Promise((resolve) => (open = resolve)))
  const early = view.relist()
  await Promise.resolve()
  gates.clear()
  await real.stopContainer({ containerId: container, timeout: 0 })
  await view.refresh('a')
  open()
  await early
  assert.equal(view.pod('a').containers[0]?.state, 'exited')
})

test('an older observation does not bring back a removed pod', async () => {
  const { view, real, gates } = await world()
  const { sandbox } = await run(real, 'a')
  await view.relist()
  let open = () => {}
  gates.set('listContainers', new Promise((resolve) => (open = resolve)))
  const early = view.relist()
  await Promise.resolve()
  gates.clear()
  await real.removePodSandbox({ podSandboxId: sandbox })
  await view.refresh('a')
  open()
  await early
  assert.deepEqual(view.pods(), [])
})

test('an observation that began before the last action does not count', async () => {
  const { view, real, calls } = await world()
  await run(real, 'a')
  await view.relist()
  calls.length = 0
  await view.observedAfter(0, 'a')
  assert.deepEqual(calls, [])
  await view.observedAfter(view.generation, 'a')
  assert.deepEqual(calls.toSorted(), ['listContainers', 'listPodSandbox'])
})

test('without events, a change is observed within 200 ms', async () => {
  const { real, clock, environment } = await world()
  const deaf = { ...real, getContainerEvents: unimplemented } as ContainerRuntime
  const own = new RuntimeView(deaf)
  const watch = new RuntimeWatch({ runtime: deaf, view: own, environment })
  await clock.advance('1s')
  const { container } = await run(real, 'a')
  await clock.advance(200)
  assert.equal(own.pod('a').containers[0]?.state, 'running')
  await real.stopContainer({ containerId: container, timeout: 0 })
  await clock.advance(200)
  assert.equal(own.pod('a').containers[0]?.state, 'exited')
  const closing = watch.close()
  await clock.settle()
  await closing
})

test('with events, a change is observed at once, and a relist runs every 10 s', async () => {
  const { view, real, runtime, calls, clock, environment } = await world()
  const watch = new RuntimeWatch({ runtime, view, environment })
  await clock.advance('2s')
  await run(real, 'a')
  await clock.advance(10)
  assert.equal(view.pod('a').containers[0]?.state, 'running')
  calls.length = 0
  await clock.advance('1m')
  assert.equal(calls.filter((name) => name === 'listContainers').length, 6)
  const closing = watch.close()
  await clock.settle()
  await closing
})

test('a runtime that was down is observed again', async () => {
  const { real, clock, environment } = await world()
  let isAway = true
  const moody = new Proxy(real, {
    get: (target, name: keyof ContainerRuntime) =>
      isAway && name.startsWith('list') ? () => Promise.reject(new CriError('Unavailable', 'away')) : target[name],
  })
  const view = new RuntimeView(moody)
  const watch = new RuntimeWatch({ runtime: moody, view, environment })
  await run(real, 'a')
  await clock.advance('1s')
  assert.deepEqual(view.pods(), [])
  isAway = false
  await clock.advance('10s')
  await watch.synced
  assert.equal(view.pods().length, 1)
  const closing = watch.close()
  await clock.settle()
  await closing
})

// biome-ignore lint/correctness/useYield: it has nothing to tell
async function* unimplemented(): AsyncGenerator<never> {
  throw new CriError('Unimplemented', 'unknown method GetContainerEvents')
}
