import { strictEqual as equal, rejects } from 'node:assert/strict'
import { describe, it } from 'node:test'
import { VirtualClock } from '../../../base/virtual-clock.js'
import type { OutgoingClient, OutgoingResponse } from '../../outgoing/outgoing-client.js'
import { callWebhook } from './call-webhook.js'

const url = 'https://hook.example.com/x'

/** A webhook that answers as the list says, and after that never. */
function client(...answers: readonly Partial<OutgoingResponse>[]) {
  let asked = 0
  const send: OutgoingClient = ({ signal }) => {
    const answer = answers[asked++]
    if (answer) return Promise.resolve({ status: 200, headers: {}, text: '{}', ...answer })
    return new Promise((_, reject) => {
      const end = () => reject(new Error('ended'))
      if (signal!.aborted) end()
      else signal!.addEventListener('abort', end)
    })
  }
  return { url, headers: {}, address: () => url, send, asked: () => asked }
}

const busy = { status: 429, headers: { 'retry-after': '3' }, text: '' }

describe('An exchange with a webhook', () => {
  it('ends when its time is over, however patient the webhook asks to be', async () => {
    for (const [answers, attempts] of [
      [[], 1],
      [[busy, busy], 3],
      [[busy, busy, busy, busy, busy], 4],
    ] as const) {
      const clock = new VirtualClock()
      const webhook = client(...answers)
      const asking = callWebhook(webhook, {}, { clock, limit: 9_500, gone: undefined })
      const refused = rejects(asking, { message: `Post "${url}?timeout=10s": context deadline exceeded`, code: 503 })
      await clock.advance('10s')
      await refused
      equal(webhook.asked(), attempts)
    }
  })

  it('goes on when the patience that was asked for has been shown', async () => {
    const clock = new VirtualClock()
    const asking = callWebhook(client(busy, { text: '{"a":1}' }), {}, { clock, limit: 10_000, gone: undefined })
    await clock.advance('3s')
    equal((await asking).toString(), '{"a":1}')
  })

  it('is of no use any more when the client has gone', async () => {
    const clock = new VirtualClock()
    for (const isGoneBefore of [true, false]) {
      const gone = new AbortController()
      if (isGoneBefore) gone.abort()
      const asking = callWebhook(client(), {}, { clock, limit: 10_000, gone: gone.signal })
      gone.abort()
      await rejects(asking, { message: `Post "${url}?timeout=10s": context canceled` })
    }
  })
})
