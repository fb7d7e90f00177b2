import assert from 'node:assert/strict'
import { test } from 'node:test'
import { VirtualClock } from '../../base/virtual-clock.js'
import type { ContainerRuntime } from '../../cri/interface/services.js'
import { NetworkCheck, NetworkNotReadyError } from './network-check.js'

function runtimeOf(answers: readonly boolean[]) {
  let asked = 0
  const status = async () => {
    const condition = {
      type: 'NetworkReady',
      status: answers[asked++],
      reason: 'NetworkPluginNotReady',
      message: 'none',
    }
    return { status: { conditions: [condition] } }
  }
  return { runtime: { status } as unknown as ContainerRuntime, asked: () => asked }
}

test('pods that start at the same time share one check, and its result is cached', async () => {
  const clock = new VirtualClock()
  const { runtime, asked } = runtimeOf([true, true])
  const check = new NetworkCheck(runtime, clock)
  await Promise.all([check.ensureReady(), check.ensureReady(), check.ensureReady()])
  await check.ensureReady()
  assert.equal(asked(), 1)
  await clock.advance('5s')
  await check.ensureReady()
  assert.equal(asked(), 2)
})

test('a network that is not ready is checked again by each later pod', async () => {
  const { runtime, asked } = runtimeOf([false, true])
  const check = new NetworkCheck(runtime, new VirtualClock())
  const message =
    'network is not ready: container runtime network not ready: NetworkReady=false reason:NetworkPluginNotReady message:none'
  const both = await Promise.allSettled([check.ensureReady(), check.ensureReady()])
  for (const one of both) assert.deepEqual(one, { status: 'rejected', reason: new NetworkNotReadyError(message) })
  await check.ensureReady()
  assert.equal(asked(), 2)
})
