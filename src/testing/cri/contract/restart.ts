import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type RuntimeHarness, shellProgram, sleepProgram } from './runtime-harness.js'

export function restartContract(harness: () => RuntimeHarness): void {
  describe('a restart of the runtime', () => {
    test('preserves all state, and containers keep running', async () => {
      const { runtime, underTest } = harness()
      const sandbox = await harness().sandbox()
      const stopped = await harness().sandbox()
      await runtime.stopPodSandbox({ podSandboxId: stopped.id })
      const script = 'while true; do echo tick; sleep 0.05; done'
      const running = await sandbox.start(
        'running',
        shellProgram(script, { output: [{ text: 'tick', every: '50ms' }] }),
      )
      const created = await sandbox.create('created', sleepProgram)
      const ended = await sandbox.start('ended', shellProgram('exit 3', { runFor: 0, exitCode: 3 }))
      await harness().ended(ended)
      const before = await snapshot()
      await underTest.restart()
      assert.deepEqual(await snapshot(), before)
      const lineCount = sandbox.log('running').length
      await harness().until(async () => (sandbox.log('running').length > lineCount + 1 ? true : undefined))
      await runtime.startContainer({ containerId: created })
      await runtime.stopContainer({ containerId: running, timeout: 0 })
      assert.equal((await harness().ended(running)).exitCode, 137)

      /** Ids, states, times and exit codes of all sandboxes and containers. */
      async function snapshot(): Promise<unknown> {
        const { items } = await runtime.listPodSandbox({})
        const sandboxes = items.map(({ id, state, createdAt, metadata }) => ({ id, state, createdAt, metadata }))
        const { status } = await runtime.podSandboxStatus({ podSandboxId: sandbox.id })
        const statuses = await Promise.all([running, created, ended].map((id) => harness().status(id)))
        const containers = statuses.map(({ id, state, createdAt, startedAt, finishedAt, exitCode, reason, image }) => {
          return { id, state, createdAt, startedAt, finishedAt, exitCode, reason, image }
        })
        return { sandboxes: sandboxes.sort((a, b) => (a.id < b.id ? -1 : 1)), address: status?.network?.ip, containers }
      }
    })

    test('reports a container that exited meanwhile', async () => {
      const { underTest } = harness()
      const sandbox = await harness().sandbox()
      const brief = await sandbox.start('brief', shellProgram('sleep 0.2; exit 9', { runFor: '200ms', exitCode: 9 }))
      await underTest.restart()
      assert.equal((await harness().ended(brief)).exitCode, 9)
    })
  })
}
