import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runLoad } from './load-run.js'

test('a server that is killed and one that is asked to end under load lose nothing and repeat nothing', async () => {
  const result = await runLoad({ writers: 8, watchers: 12, ends: ['SIGKILL', 'SIGTERM'], between: 2000 })
  assert.deepEqual(result.faults, [])
  assert.ok(result.acknowledged > 20, 'hardly anything was written')
  assert.ok(result.resumed >= 2 * 12, 'watchers did not have to go on')
  assert.ok(result.cleanEnds >= 12, 'watches were not ended as answers are when the server was asked to end')
})
