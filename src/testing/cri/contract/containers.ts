import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type RuntimeHarness, shellProgram, sleepProgram } from './runtime-harness.js'

export function containerContract(harness: () => RuntimeHarness): void {
  describe('containers', () => {
    test('a container is created, runs, exits and is removed', async () => {
      const { runtime, underTest } = harness()
      const sandbox = await harness().sandbox()
      const containerId = await sandbox.create(
        'main',
        shellProgram('sleep 0.3; exit 3', { runFor: '300ms', exitCode: 3 }),
      )
      const created = await harness().status(containerId)
      assert.equal(created.state, 'CONTAINER_CREATED')
      assert.deepEqual(created.metadata, { name: 'main', attempt: 0 })
      assert.equal(created.labels.name, 'main')
      assert.equal(created.startedAt, 0n)
      await runtime.startContainer({ containerId })
      const running = await harness().status(containerId)
      assert.equal(running.state, 'CONTAINER_RUNNING')
      assert.equal(running.image?.image, underTest.image)
      assert.match(running.imageRef, /sha256:[0-9a-f]{64}$/)
      assert.equal(running.logPath, `${sandbox.config.logDirectory}/main.log`)
      assert.ok(running.startedAt >= running.createdAt)
      const ended = await harness().ended(containerId)
      assert.deepEqual([ended.exitCode, ended.reason], [3, 'Error'])
      assert.ok(ended.finishedAt > ended.startedAt)
      await runtime.removeContainer({ containerId })
      await assert.rejects(runtime.containerStatus({ containerId }), { code: 'NotFound' })
      await runtime.removeContainer({ containerId })
    })

    test('exit code 0 has the reason Completed', async () => {
      const sandbox = await harness().sandbox()
      const { exitCode, reason } = await harness().ended(
        await sandbox.start('main', shellProgram('true', { runFor: 0 })),
      )
      assert.deepEqual([exitCode, reason], [0, 'Completed'])
    })

    test('a stopped container may exit within its grace period', async () => {
      const { runtime } = harness()
      const sandbox = await harness().sandbox()
      const script = 'trap "exit 7" TERM; echo ready; while true; do sleep 0.05; done'
      const containerId = await sandbox.start(
        'main',
        shellProgram(script, { output: [{ text: 'ready' }], stop: { after: '100ms', exitCode: 7 } }),
      )
      await harness().until(async () => sandbox.log('main')[0])
      await runtime.stopContainer({ containerId, timeout: 30 })
      const { state, exitCode, reason } = await harness().status(containerId)
      assert.deepEqual([state, exitCode, reason], ['CONTAINER_EXITED', 7, 'Error'])
      await runtime.stopContainer({ containerId, timeout: 30 })
    })

    test('a container that ignores the stop is killed after its grace period, or at once without one', async () => {
      const { runtime } = harness()
      const sandbox = await harness().sandbox()
      for (const [name, timeout] of [
        ['patient', 1],
        ['hasty', 0],
      ] as const) {
        const containerId = await sandbox.start(name, sleepProgram)
        await runtime.stopContainer({ containerId, timeout })
        const { state, exitCode } = await harness().status(containerId)
        assert.deepEqual([state, exitCode], ['CONTAINER_EXITED', 137])
      }
    })

    test('a running container is killed when it is removed', async () => {
      const { runtime } = harness()
      const sandbox = await harness().sandbox()
      const containerId = await sandbox.start('main', sleepProgram)
      await runtime.removeContainer({ containerId })
      assert.deepEqual((await runtime.listContainers({})).containers, [])
    })

    test('a container starts only once', async () => {
      const { runtime } = harness()
      const sandbox = await harness().sandbox()
      const containerId = await sandbox.start('main', sleepProgram)
      await assert.rejects(runtime.startContainer({ containerId }), /container is in CONTAINER_RUNNING state/)
      await runtime.stopContainer({ containerId, timeout: 0 })
      await assert.rejects(runtime.startContainer({ containerId }), /container is in CONTAINER_EXITED state/)
    })

    test('a missing command fails the start, and the status reports it', async () => {
      const { runtime } = harness()
      const sandbox = await harness().sandbox()
      const startError = 'failed to create containerd task: exec: "/none": no such file or directory: unknown'
      const containerId = await sandbox.create('main', { command: ['/none'], behaviour: { startError } })
      await assert.rejects(runtime.startContainer({ containerId }), /no such file or directory/)
      const { state, exitCode, reason, message } = await harness().status(containerId)
      assert.deepEqual([state, exitCode, reason], ['CONTAINER_EXITED', 128, 'StartError'])
      assert.match(message, /no such file or directory/)
    })

    test('a container needs its image and its sandbox', async () => {
      const { runtime } = harness()
      const sandbox = await harness().sandbox()
      const image = { image: 'localhost/none/such:1' }
      await assert.rejects(sandbox.create('main', sleepProgram, { image }), { code: 'NotFound' })
      await runtime.stopPodSandbox({ podSandboxId: sandbox.id })
      await assert.rejects(sandbox.create('main', sleepProgram), /sandbox container/)
      await assert.rejects(runtime.createContainer({ podSandboxId: 'none', config: {} }), /not found/)
      await assert.rejects(runtime.startContainer({ containerId: 'none' }), { code: 'NotFound' })
    })

    test('a container name is unique per attempt', async () => {
      const sandbox = await harness().sandbox()
      const first = await sandbox.create('main', sleepProgram)
      await assert.rejects(sandbox.create('main', sleepProgram), new RegExp(`is reserved for "${first}"`))
      await sandbox.create('main', sleepProgram, { metadata: { name: 'main', attempt: 1 } })
    })

    test('containers are listed by id, sandbox, state and labels', async () => {
      const { runtime } = harness()
      const [one, two] = [await harness().sandbox(), await harness().sandbox()]
      const a = await one.start('a', sleepProgram, { labels: { tier: 'front' } })
      const b = await one.create('b', sleepProgram, { labels: { tier: 'back' } })
      const c = await two.start('c', sleepProgram, { labels: { tier: 'front' } })
      await runtime.stopContainer({ containerId: c, timeout: 0 })
      const list = async (filter: object) =>
        (await runtime.listContainers({ filter })).containers.map(({ id }) => id).sort()
      assert.deepEqual(await list({}), [a, b, c].sort())
      assert.deepEqual(await list({ id: a }), [a])
      assert.deepEqual(await list({ podSandboxId: one.id }), [a, b].sort())
      assert.deepEqual(await list({ state: { state: 'CONTAINER_RUNNING' } }), [a])
      assert.deepEqual(await list({ state: { state: 'CONTAINER_CREATED' } }), [b])
      assert.deepEqual(await list({ state: { state: 'CONTAINER_EXITED' } }), [c])
      assert.deepEqual(await list({ labelSelector: { tier: 'front' } }), [a, c].sort())
      assert.deepEqual(await list({ podSandboxId: one.id, labelSelector: { tier: 'front' } }), [a])
      const [listed] = (await runtime.listContainers({ filter: { id: a } })).containers
      assert.equal(listed?.podSandboxId, one.id)
      assert.match(listed?.imageRef ?? '', /^sha256:/)
    })
  })
}
