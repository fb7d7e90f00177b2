import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type RuntimeHarness, shellProgram, sleepProgram } from './runtime-harness.js'

const mebibyte = 1 << 20

export function resourceContract(harness: () => RuntimeHarness): void {
  describe('resources', () => {
    test('a container that exceeds its memory limit is killed', async () => {
      const sandbox = await harness().sandbox()
      // The sleeps give the runtime time to receive the OOM event from the kernel on a busy host.
      const script = 'sleep 1; dd if=/dev/zero of=/dev/null bs=96M count=1; code=$?; sleep 1; exit $code'
      const greedy = shellProgram(script, { usage: { memory: '96Mi' } })
      const containerId = await sandbox.start('main', greedy, {
        linux: { resources: { memoryLimitInBytes: 16 * mebibyte, oomScoreAdj: 1000 } },
      })
      const { exitCode, reason } = await harness().ended(containerId)
      assert.deepEqual([exitCode, reason], [137, 'OOMKilled'])
    })

    test('limits apply and can change while the container runs', async () => {
      const { runtime, underTest } = harness()
      const sandbox = await harness().sandbox()
      const linux = {
        resources: { memoryLimitInBytes: 64 * mebibyte, cpuPeriod: 100_000, cpuQuota: 50_000, cpuShares: 512 },
      }
      const containerId = await sandbox.start('main', sleepProgram, { linux })
      assert.equal(await underTest.memoryLimit(containerId), 64 * mebibyte)
      await runtime.updateContainerResources({ containerId, linux: { memoryLimitInBytes: 128 * mebibyte } })
      assert.equal(await underTest.memoryLimit(containerId), 128 * mebibyte)
      await assert.rejects(runtime.updateContainerResources({ containerId: 'none', linux: {} }), { code: 'NotFound' })
    })

    test('the usage of one container and of all containers is reported', async () => {
      const { runtime } = harness()
      const sandbox = await harness().sandbox()
      const busy = shellProgram('while true; do :; done', { usage: { cpu: '250m', memory: '4Mi' }, stop: 'ignore' })
      const containerId = await sandbox.start('main', busy)
      const other = await harness().sandbox()
      await other.start('other', sleepProgram)
      const used = await harness().until(async () => {
        const { stats } = await runtime.containerStats({ containerId })
        return (stats?.cpu?.usageCoreNanoSeconds?.value ?? 0) > 0 ? stats : undefined
      })
      assert.equal(used.attributes?.id, containerId)
      assert.deepEqual(used.attributes.metadata, { name: 'main', attempt: 0 })
      assert.ok((used.memory?.workingSetBytes?.value ?? 0) > 0)
      assert.ok((used.cpu?.timestamp ?? 0n) > 1_600_000_000_000_000_000n)
      const all = await runtime.listContainerStats({})
      assert.equal(all.stats.length, 2)
      const { stats } = await runtime.listContainerStats({ filter: { podSandboxId: sandbox.id } })
      assert.deepEqual(
        stats.map(({ attributes }) => attributes?.id),
        [containerId],
      )
      await assert.rejects(runtime.containerStats({ containerId: 'none' }), { code: 'NotFound' })
    })

    test('the usage of a pod is reported', async (context) => {
      const { runtime, underTest } = harness()
      if (underTest.lacks.podStats) return context.skip(underTest.lacks.podStats)
      const sandbox = await harness().sandbox()
      const containerId = await sandbox.start('main', shellProgram('exec sleep 3600', { usage: { memory: '4Mi' } }))
      const { stats } = await runtime.podSandboxStats({ podSandboxId: sandbox.id })
      assert.equal(stats?.attributes?.id, sandbox.id)
      assert.deepEqual(
        stats.linux?.containers.map(({ attributes }) => attributes?.id),
        [containerId],
      )
      assert.ok((stats.linux.memory?.workingSetBytes?.value ?? 0) > 0)
      assert.equal((await runtime.listPodSandboxStats({ filter: { id: sandbox.id } })).stats.length, 1)
    })
  })
}
