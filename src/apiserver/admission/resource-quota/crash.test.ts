import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { ApiError } from '../../../api/errors.js'
import { ApiServerProcess } from '../../../testing/processes/api-server-process.js'
import { httpsClient } from '../../../testing/servers/clients.js'
import { QuotaTrial } from './quota-server.test.kit.js'

const lives = 3

test('a quota is right after the server was killed in the middle of creates, and never over-used', async () => {
  await using server = await ApiServerProcess.start()
  let trial = new QuotaTrial(httpsClient(server), 'crashed')
  await trial.prepare({ pods: '100' })
  let acknowledged = 0
  let cutOff = 0
  for (let life = 0; life < lives; life++) {
    let made = 0
    const creating = Array.from({ length: 40 }, async (_, i) => {
      try {
        if (await trial.create(`pod-${life}-${i}`)) made++
      } catch (error) {
        if (error instanceof ApiError) throw error
        cutOff++ // it was under way when the server went, and may have been made or not
      }
    })
    while (made < 5) await pause(1)
    assert.equal(await server.end('SIGKILL'), 'SIGKILL')
    await Promise.all(creating)
    acknowledged += made
    trial.client.close()
    await server.start()
    trial = new QuotaTrial(httpsClient(server), 'crashed')
    const count = await trial.podCount()
    assert.equal(await trial.used(), count)
    assert.ok(count >= acknowledged, `${acknowledged} creates were acknowledged, and ${count} pods are there`)
  }
  assert.ok(cutOff > 0, 'no create was under way when the server was killed')
  await Promise.all(Array.from({ length: 200 }, (_, i) => trial.create(`last-${i}`)))
  assert.equal(await trial.podCount(), 100)
  assert.equal(await trial.used(), 100)
  trial.client.close()
})
