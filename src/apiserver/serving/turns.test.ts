import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { Turns } from './turns.js'

test('what comes in one turn is begun together at its end, in its order; what comes then, in the next', async () => {
  const turns = new Turns()
  const begun: string[] = []
  turns.add(() => {
    begun.push('first')
    turns.add(() => begun.push('later'))
  })
  turns.add(() => begun.push('second'))
  await Promise.resolve()
  assert.deepEqual(begun, [])
  await turn()
  assert.deepEqual(begun, ['first', 'second'])
  await turn()
  assert.deepEqual(begun, ['first', 'second', 'later'])
})
