import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { immediateStarter, RequestBatcher } from './request-batcher.js'

test('requests of one iteration of the event loop start together at its end, in order; later ones in the next iteration', async () => {
  const batcher = new RequestBatcher()
  const begun: string[] = []
  batcher.add(() => {
    begun.push('first')
    batcher.add(() => begun.push('later'))
  })
  batcher.add(() => begun.push('second'))
  await Promise.resolve()
  assert.deepEqual(begun, [])
  await turn()
  assert.deepEqual(begun, ['first', 'second'])
  await turn()
  assert.deepEqual(begun, ['first', 'second', 'later'])
})

test('without batches, each request starts at once', () => {
  const begun: string[] = []
  immediateStarter.add(() => begun.push('first'))
  assert.deepEqual(begun, ['first'])
})
