import assert from 'node:assert/strict'
import { existsSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { type RuntimeHarness, shellProgram } from './runtime-harness.js'

export function logContract(harness: () => RuntimeHarness): void {
  describe('logs', () => {
    test('the log contains the output, line by line, with time and stream', async () => {
      const sandbox = await harness().sandbox()
      const program = shellProgram('echo one; echo two >&2; printf "three\\nfour\\n"', {
        output: [{ text: 'one' }, { text: 'two', stream: 'stderr' }, { text: 'three\nfour\n' }],
        runFor: 0,
      })
      await harness().ended(await sandbox.start('main', program))
      const lines = await harness().until(async () =>
        sandbox.log('main').length === 4 ? sandbox.log('main') : undefined,
      )
      for (const { time, tag } of lines) {
        assert.match(time, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+(Z|[+-]\d\d:\d\d)$/)
        assert.equal(tag, 'F')
      }
      const textsOf = (name: string) => lines.filter(({ stream }) => stream === name).map(({ text }) => text)
      assert.deepEqual([textsOf('stdout'), textsOf('stderr')], [['one', 'three', 'four'], ['two']])
    })

    test('a long line is split', async () => {
      const sandbox = await harness().sandbox()
      const long = shellProgram('head -c 40000 /dev/zero | tr "\\0" x; echo', {
        output: [{ text: 'x'.repeat(40_000) }],
        runFor: 0,
      })
      await harness().ended(await sandbox.start('main', long))
      const lines = await harness().until(async () =>
        sandbox.log('main').length === 3 ? sandbox.log('main') : undefined,
      )
      assert.deepEqual(
        lines.map(({ tag, text }) => [tag, text.length]),
        [
          ['P', 16_384],
          ['P', 16_384],
          ['F', 7_232],
        ],
      )
    })

    test('a rotated log continues in a new file', async () => {
      const { runtime } = harness()
      const sandbox = await harness().sandbox()
      const script = 'while true; do echo tick; sleep 0.05; done'
      const containerId = await sandbox.start(
        'main',
        shellProgram(script, { output: [{ text: 'tick', every: '50ms' }] }),
      )
      await harness().until(async () => sandbox.log('main')[0])
      const path = join(sandbox.config.logDirectory!, 'main.log')
      renameSync(path, `${path}.1`)
      await runtime.reopenContainerLog({ containerId })
      assert.ok(existsSync(path))
      await harness().until(async () => sandbox.log('main')[1])
      await runtime.stopContainer({ containerId, timeout: 0 })
      await assert.rejects(runtime.reopenContainerLog({ containerId }), /container is not running/)
    })
  })
}
