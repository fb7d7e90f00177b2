import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type RuntimeHarness, sleepProgram } from './runtime-harness.js'

export function eventContract(harness: () => RuntimeHarness): void {
  describe('events', () => {
    test('container events contain the status of the pod', async (context) => {
      const { runtime, underTest } = harness()
      if (underTest.lacks.events) {
        await assert.rejects(runtime.getContainerEvents({})[Symbol.asyncIterator]().next(), { code: 'Unimplemented' })
        return context.skip(underTest.lacks.events)
      }
      const controller = new AbortController()
      const seen: [id: string, type: string, states: string[]][] = []
      const listening = (async () => {
        for await (const event of runtime.getContainerEvents({}, { signal: controller.signal }))
          seen.push([event.containerId, event.containerEventType, event.containersStatuses.map(({ state }) => state)])
      })()
      await new Promise((resolve) => setTimeout(resolve, 100))
      const sandbox = await harness().sandbox()
      const containerId = await sandbox.start('main', sleepProgram)
      await runtime.stopContainer({ containerId, timeout: 0 })
      await runtime.removeContainer({ containerId })
      await harness().until(async () =>
        seen.find(([id, type]) => id === containerId && type === 'CONTAINER_DELETED_EVENT'),
      )
      controller.abort(new Error('enough'))
      await assert.rejects(listening, /enough/)
      assert.deepEqual(
        seen.filter(([id]) => id === containerId),
        [
          [containerId, 'CONTAINER_CREATED_EVENT', ['CONTAINER_CREATED']],
          [containerId, 'CONTAINER_STARTED_EVENT', ['CONTAINER_RUNNING']],
          [containerId, 'CONTAINER_STOPPED_EVENT', ['CONTAINER_EXITED']],
          [containerId, 'CONTAINER_DELETED_EVENT', ['CONTAINER_EXITED']],
        ],
      )
      assert.ok(seen.some(([id, type]) => id === sandbox.id && type === 'CONTAINER_STARTED_EVENT'))
    })
  })
}
