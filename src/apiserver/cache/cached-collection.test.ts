import assert from 'node:assert/strict'
import { test } from 'node:test'
import { environment } from '../../base/environment.js'
import { VirtualClock } from '../../base/virtual-clock.js'
import { CompactedError } from '../../storage/errors.js'
import { MemoryStore } from '../../storage/memory/memory-store.js'
import { InterruptibleStore, keyOf, prefix, thing } from './cache.test.kit.js'
import { openObjectStore } from './cached-object-store.js'

test('a follower of a collection sees a change before the write returns, and is reset after a gap', async (context) => {
  const clock = new VirtualClock()
  const surroundings = environment({ clock })
  const memory = new MemoryStore({ environment: surroundings })
  const store = new InterruptibleStore(memory)
  const objects = await openObjectStore(store, surroundings)
  context.after(async () => {
    await objects.close()
    await memory.close()
  })
  const told: string[] = []
  const unfollow = objects.collection(prefix).follow({
    changed: ({ type, object }) => told.push(`${type} ${object.object.metadata.name}`),
    reset: () => told.push('reset'),
  })
  const key = keyOf('a', 'x')
  const [written] = (await objects.write([{ key, expected: 0, object: thing('a', 'x', '1') }]))!
  assert.deepEqual(told, ['put x'])
  await objects.write([{ key: '/registry/other/y', expected: 0, object: thing('a', 'y', '1') }])
  await objects.write([{ key, expected: written!.revision, object: undefined }])
  assert.deepEqual(told, ['put x', 'delete x'])
  store.interrupt(new CompactedError(1, 2))
  await clock.advance('1m')
  assert.equal(told.at(-1), 'reset')
  unfollow()
  await objects.write([{ key, expected: 0, object: thing('a', 'x', '2') }])
  assert.equal(told.length, 3)
})
