import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type RuntimeHarness, shellProgram, sleepProgram } from './runtime-harness.js'

export function commandContract(harness: () => RuntimeHarness): void {
  describe('commands in a container', () => {
    test('a command returns its output and exit code', async () => {
      const { runtime } = harness()
      const sandbox = await harness().sandbox()
      const exec = [{ command: 'sh -c echo out; *', stdout: 'out\n', stderr: 'err\n', exitCode: 5 }]
      const containerId = await sandbox.start('main', shellProgram('exec sleep 3600', { stop: 'ignore', exec }))
      const cmd = ['sh', '-c', 'echo out; echo err >&2; exit 5']
      const { stdout, stderr, exitCode } = await runtime.execSync({ containerId, cmd, timeout: 20 })
      assert.deepEqual([stdout.toString(), stderr.toString(), exitCode], ['out\n', 'err\n', 5])
      assert.equal((await runtime.execSync({ containerId, cmd: ['true'] })).exitCode, 0)
    })

    test('a command is cancelled at its timeout', async () => {
      const { runtime } = harness()
      const sandbox = await harness().sandbox()
      const exec = [{ command: 'sleep *', takes: '1m' }]
      const containerId = await sandbox.start('main', shellProgram('exec sleep 3600', { stop: 'ignore', exec }))
      const slowCommand = runtime.execSync({ containerId, cmd: ['sleep', '60'], timeout: 1 })
      await assert.rejects(slowCommand, { code: 'DeadlineExceeded' })
    })

    test('a command in a stopped container is rejected', async () => {
      const { runtime } = harness()
      const sandbox = await harness().sandbox()
      const containerId = await sandbox.start('main', sleepProgram)
      await runtime.stopContainer({ containerId, timeout: 0 })
      await assert.rejects(runtime.execSync({ containerId, cmd: ['true'] }), /container is in CONTAINER_EXITED state/)
      await assert.rejects(runtime.exec({ containerId, cmd: ['true'], stdout: true }), /CONTAINER_EXITED/)
      await assert.rejects(runtime.execSync({ containerId: 'none', cmd: ['true'] }), { code: 'NotFound' })
    })

    test('streams have URLs on the loopback address', async () => {
      const { runtime } = harness()
      const sandbox = await harness().sandbox()
      const containerId = await sandbox.start('main', sleepProgram)
      const addresses = [
        await runtime.exec({ containerId, cmd: ['true'], stdout: true }),
        await runtime.attach({ containerId, stdout: true }),
        await runtime.portForward({ podSandboxId: sandbox.id, port: [80] }),
      ]
      for (const { url } of addresses) assert.match(url, /^http:\/\/127\.0\.0\.1:\d+\/(exec|attach|portforward)\/\S+$/)
    })
  })
}
