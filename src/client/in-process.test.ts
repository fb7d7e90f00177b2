import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConfigMap } from '../api/core/v1/config-map.js'
import { Client } from './client.js'
import { inProcessTransport } from './in-process.js'

const user = { name: 'jane', uid: '', groups: [], extra: {} }

test('a running request can be aborted, and the server is notified', async () => {
  let told: AbortSignal | undefined
  const transport = inProcessTransport({
    user,
    handle: ({ signal }) => {
      told = signal
      return new Promise(() => {})
    },
  })
  const stopping = new AbortController()
  const asked = new Client(transport).resource(ConfigMap).in('default').get('a', { signal: stopping.signal })
  const reason = new Error('enough')
  setImmediate(() => stopping.abort(reason))
  await assert.rejects(asked, reason)
  assert.equal(told?.reason, reason)
})
