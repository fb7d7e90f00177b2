import assert from 'node:assert/strict'
import { test } from 'node:test'
import { crashProcesses } from './process-crashes.js'

test('a controller manager that is killed at random moments reaches the same state, without duplicates', async () => {
  assert.equal(await crashProcesses({ seed: 1, kills: 2, killsServer: false }), '')
})

test('no write is lost if the API server is killed as well', async () => {
  assert.equal(await crashProcesses({ seed: 2, kills: 1, killsServer: true }), '')
})
