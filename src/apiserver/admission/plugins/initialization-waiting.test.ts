/** Creators who wait for initializers: they take nothing from those who work, and do not hold up a server that ends. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConfigMap } from '../../../api/core/v1/config-map.js'
import { hasReason } from '../../../api/errors.js'
import { httpsClient } from '../../../testing/servers/clients.js'
import { type InitializingServer, startInitializingServer } from '../../../testing/servers/initializing-server.js'

const name = 'slow.example.com'
const creators = 100

const fewSeats = { timeout: 60_000, minWatchTimeout: 60_000, maxInFlight: 3, maxMutatingInFlight: 3 }

for (const isFair of [true, false])
  test(`a hundred creators wait on six seats, and the initializer gets one (${isFair ? 'fair' : 'limited'})`, async () => {
    await using it = await startInitializingServer({ options: { requests: { ...fewSeats, isFair } } })
    await it.configure('c', 'configmaps', name)
    const waiting = await createAll(it)
    const maps = it.as('initializer', 'https').resource(ConfigMap).in('default')
    const { items } = await maps.list({ includeUninitialized: true })
    assert.equal(items.length, creators)
    for (const { metadata, ...rest } of items)
      await maps.update({ ...rest, metadata: { ...metadata, initializers: { pending: [] } } })
    const made = await Promise.all(waiting)
    assert.equal(new Set(made.map(({ metadata }) => metadata.name)).size, creators)
    assert.ok(made.every(({ metadata }) => metadata.initializers === undefined))
  })

/** All of them at once; resolves when every object is stored, each with its creator waiting. */
async function createAll(it: InitializingServer): Promise<readonly Promise<ConfigMap>[]> {
  const maps = it.as('writer', 'https').resource(ConfigMap).in('default')
  const waiting = Array.from({ length: creators }, (_, i) =>
    persistently(() => maps.create({ metadata: { name: `m${i}` } })),
  )
  const watch = it.admin.resource(ConfigMap).in('default').watch({ includeUninitialized: true })
  let seen = 0
  for await (const { type } of watch) if (type === 'ADDED' && ++seen === creators) break
  return waiting
}

/** Who is told that there are too many comes back. */
async function persistently<T>(run: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await run()
    } catch (error) {
      if (!hasReason(error, 'TooManyRequests')) throw error
    }
  }
}

test('a server that ends does not wait for them: they are told that it is over', async () => {
  const it = await startInitializingServer()
  await it.configure('c', 'configmaps', name)
  const maps = httpsClient(it.server).resource(ConfigMap).in('default')
  const told = assert.rejects(maps.create({ metadata: { name: 'a' } }), {
    code: 504,
    message: 'Timeout: server has timed out waiting for the initialization of configmaps a',
  })
  for await (const { object } of maps.watch({ includeUninitialized: true })) if (object.metadata.name === 'a') break
  const closed = it[Symbol.asyncDispose]()
  await told
  await closed
})

test('a creator who leaves leaves the object behind', async () => {
  await using it = await startInitializingServer()
  await it.configure('c', 'configmaps', name)
  const leaving = it.as('writer', 'https')
  const gone = assert.rejects(
    leaving
      .resource(ConfigMap)
      .in('default')
      .create({ metadata: { name: 'a' } }),
  )
  const maps = it.admin.resource(ConfigMap).in('default')
  for await (const { object } of maps.watch({ includeUninitialized: true })) if (object.metadata.name === 'a') break
  leaving.close()
  await gone
  assert.equal((await maps.get('a', { includeUninitialized: true })).metadata.initializers?.pending[0]?.name, name)
})
