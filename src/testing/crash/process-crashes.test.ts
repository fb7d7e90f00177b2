import assert from 'node:assert/strict'
import { test } from 'node:test'
import { crashProcesses } from './process-crashes.js'

test('a controller manager that is killed at random moments leaves nothing undone, and does nothing twice', async () => {
  assert.equal(await crashProcesses({ seed: 1, kills: 2, killsServer: false }), '')
})

test('nothing is lost when the API server is killed, too', async () => {
  assert.equal(await crashProcesses({ seed: 2, kills: 1, killsServer: true }), '')
})
