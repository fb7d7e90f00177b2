import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runFuzzCampaign } from './campaign.js'
import { hostileRequest } from './hostile-request.js'

/** Megabytes. What is remembered of clients is bounded, but not nothing. */
const mostGrowth = 32

test('a server that is attacked neither falls, hangs, grows nor gives way: every object it keeps is sound', async () => {
  const { sent, results, faults, memory } = await runFuzzCampaign({ count: 2500, seed: 42, most: 8_000 })
  const [before, after] = memory
  assert.deepEqual(faults, [], 'npm run fuzz 1 SEED shows one of them')
  assert.ok(after - before < mostGrowth, `${before} MB of live objects became ${after} MB`)
  assert.ok(sent >= 100, 'hardly anything was sent')
  for (const expected of ['200', '400', '404']) assert.ok(results[expected]! > 0, `no answer was ${expected}`)
})

test('a seed always stands for the same request', () => {
  for (const seed of [0, 1, 77, 123_456_789]) assert.deepEqual(hostileRequest(seed), hostileRequest(seed))
})
