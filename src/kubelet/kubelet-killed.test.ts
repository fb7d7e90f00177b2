import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PodSpec } from '../api/core/v1/pod/spec.js'
import type { Pod } from '../api/core/v1/pod.js'
import type { ContainerRuntime } from '../cri/interface/services.js'
import { behaviour, KubeletHarness, main } from './kubelet.test.kit.js'

/** The kubelet dies with its `fatal`th call: before the runtime receives it, or before the response arrives. */
interface KillPoint {
  readonly fatal: number
  readonly isHeard: boolean
}

interface Witness {
  calls: number
  hasDied: boolean
}

function fateful({ fatal, isHeard }: KillPoint, witness: Witness, died: () => void) {
  return (runtime: ContainerRuntime): ContainerRuntime =>
    new Proxy(runtime, {
      get(target, name: keyof ContainerRuntime) {
        const call = target[name] as (request: object, options?: object) => unknown
        if (name === 'getContainerEvents') return call
        return async (request: object, options?: object) => {
          if (witness.hasDied) throw new Error('killed')
          const isFatal = ++witness.calls === fatal
          if (!isFatal || isHeard) await Promise.resolve()
          const answer = isFatal && !isHeard ? undefined : await call(request, options)
          if (witness.hasDied || isFatal) {
            if (isFatal) {
              witness.hasDied = true
              died()
            }
            throw new Error('killed')
          }
          return answer
        }
      },
    })
}

const sidecar = main({ name: 'side', restartPolicy: 'Always' as const })
const spec: Partial<PodSpec> = {
  initContainers: [main({ name: 'i' }), sidecar],
  containers: [main(), main({ name: 'two' })],
}
const does = behaviour({ i: { runFor: '1s' } })

/** Asserts that no two containers of one name run at the same time. */
async function watchForTwins(harness: KubeletHarness, signal: AbortSignal): Promise<readonly string[]> {
  const twins: string[] = []
  try {
    for await (const { containersStatuses } of harness.runtime.getContainerEvents({}, { signal })) {
      const running = containersStatuses
        .filter(({ state }) => state === 'CONTAINER_RUNNING')
        .map(({ metadata }) => metadata!.name)
      if (new Set(running).size < running.length) twins.push(running.join())
    }
  } catch (error) {
    if (!signal.aborted) throw error
  }
  return twins
}

async function live(harness: KubeletHarness, fate: KillPoint): Promise<boolean> {
  const watching = new AbortController()
  const twins = watchForTwins(harness, watching.signal)
  const witness: Witness = { calls: 0, hasDied: false }
  let isDead = false
  harness.start(fateful(fate, witness, () => (isDead = true)))
  const pods = async () => {
    await harness.create('p', spec, does)
    await harness.clock.advance('5s')
  }
  await pods()
  await reviveIf(harness, isDead)
  const before = await idsOf(harness)
  await harness.clock.advance('31s')
  await settled(harness)
  assert.deepEqual(await idsOf(harness), before, 'what runs goes on running')
  await harness.delete('p')
  await harness.clock.advance('5s')
  if (isDead) await reviveIf(harness, true)
  watching.abort()
  assert.deepEqual(await harness.settle(twins), [])
  assert.equal(await harness.get('p'), undefined, 'the pod is gone')
  assert.deepEqual(await harness.everything(), [], 'nothing is left')
  return witness.hasDied
}

async function reviveIf(harness: KubeletHarness, isDead: boolean): Promise<void> {
  if (isDead) {
    await harness.kill()
    harness.start()
  }
  await harness.clock.advance('16s')
}

async function settled(harness: KubeletHarness): Promise<void> {
  const running = (await harness.containers()).filter((one) => one.includes('RUNNING'))
  assert.deepEqual(running.toSorted(), ['side:RUNNING:0', 'two:RUNNING:0', 'web:RUNNING:0'])
  assert.deepEqual((await harness.sandboxes()).length, 1)
  const pod = (await harness.get('p')) as Pod
  assert.equal(pod.status.phase, 'Running')
}

async function idsOf(harness: KubeletHarness): Promise<readonly string[]> {
  const { containers } = await harness.settle(harness.runtime.listContainers({}))
  return containers.filter(({ state }) => state === 'CONTAINER_RUNNING').map(({ id }) => id)
}

for (const isHeard of [true, false])
  test(`killed ${isHeard ? 'after' : 'before'} any call to the runtime, the next kubelet continues: nothing runs twice, nothing leaks`, async () => {
    await using harness = await KubeletHarness.begin()
    for (let fatal = 1, hasDied = true; hasDied; fatal++) {
      try {
        hasDied = await live(harness, { fatal, isHeard })
      } catch (error) {
        throw new Error(`killed at call ${fatal}: ${(error as Error).message}`, { cause: error })
      }
      await harness.kill()
    }
  })
