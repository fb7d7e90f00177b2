import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PodSpec } from '../api/core/v1/pod/spec.js'
import type { Pod } from '../api/core/v1/pod.js'
import type { ContainerRuntime } from '../cri/interface/services.js'
import { behaviour, KubeletTrial, main } from './kubelet.test.kit.js'

/** The kubelet dies with its `fatal`th call: either before the runtime hears of it, or before its answer is heard. */
interface Fate {
  readonly fatal: number
  readonly isHeard: boolean
}

interface Witness {
  calls: number
  hasDied: boolean
}

function fateful({ fatal, isHeard }: Fate, witness: Witness, died: () => void) {
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

/** No two containers of one name may ever run at the same time. */
async function watchForTwins(trial: KubeletTrial, signal: AbortSignal): Promise<readonly string[]> {
  const twins: string[] = []
  try {
    for await (const { containersStatuses } of trial.runtime.getContainerEvents({}, { signal })) {
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

async function live(trial: KubeletTrial, fate: Fate): Promise<boolean> {
  const watching = new AbortController()
  const twins = watchForTwins(trial, watching.signal)
  const witness: Witness = { calls: 0, hasDied: false }
  let isDead = false
  trial.start(fateful(fate, witness, () => (isDead = true)))
  const pods = async () => {
    await trial.create('p', spec, does)
    await trial.clock.advance('5s')
  }
  await pods()
  await reviveIf(trial, isDead)
  const before = await idsOf(trial)
  await trial.clock.advance('31s')
  await settled(trial)
  assert.deepEqual(await idsOf(trial), before, 'what runs goes on running')
  await trial.delete('p')
  await trial.clock.advance('5s')
  if (isDead) await reviveIf(trial, true)
  watching.abort()
  assert.deepEqual(await trial.settle(twins), [])
  assert.equal(await trial.get('p'), undefined, 'the pod is gone')
  assert.deepEqual(await trial.everything(), [], 'nothing is left')
  return witness.hasDied
}

async function reviveIf(trial: KubeletTrial, isDead: boolean): Promise<void> {
  if (isDead) {
    await trial.kill()
    trial.start()
  }
  await trial.clock.advance('16s')
}

async function settled(trial: KubeletTrial): Promise<void> {
  const running = (await trial.containers()).filter((one) => one.includes('RUNNING'))
  assert.deepEqual(running.toSorted(), ['side:RUNNING:0', 'two:RUNNING:0', 'web:RUNNING:0'])
  assert.deepEqual((await trial.sandboxes()).length, 1)
  const pod = (await trial.get('p')) as Pod
  assert.equal(pod.status.phase, 'Running')
}

async function idsOf(trial: KubeletTrial): Promise<readonly string[]> {
  const { containers } = await trial.settle(trial.runtime.listContainers({}))
  return containers.filter(({ state }) => state === 'CONTAINER_RUNNING').map(({ id }) => id)
}

for (const isHeard of [true, false])
  test(`killed ${isHeard ? 'after' : 'before'} any call to the runtime, the next kubelet goes on: nothing runs twice, nothing leaks`, async () => {
    await using trial = await KubeletTrial.begin()
    for (let fatal = 1, hasDied = true; hasDied; fatal++) {
      try {
        hasDied = await live(trial, { fatal, isHeard })
      } catch (error) {
        throw new Error(`killed at call ${fatal}: ${(error as Error).message}`, { cause: error })
      }
      await trial.kill()
    }
  })
