import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EarlyRequests } from './early-requests.js'

test('requests that come early are answered in their order as soon as somebody can, later ones at once', async () => {
  const early = new EarlyRequests()
  const answered: string[] = []
  const handled = (name: string) => early.handle(name as never, undefined as never)
  const first = handled('first')
  early.upgrade('upgrade' as never, undefined as never, undefined as never)
  const second = handled('second')
  await Promise.resolve()
  assert.deepEqual(answered, [])
  early.opened({
    handle: (name) => void answered.push(name as never),
    upgrade: (name) => void answered.push(name as never),
  })
  await Promise.all([first, second])
  assert.deepEqual(answered, ['first', 'upgrade', 'second'])
  handled('third')
  assert.equal(answered[3], 'third')
})
