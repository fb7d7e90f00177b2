import { deepStrictEqual as deepEqual, strictEqual as equal, match } from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { createTestAuthority } from '../../../testing/servers/https-server.js'
import type { Reply } from '../../registry/server.test.kit.js'
import {
  answerTo,
  openWebhookServer,
  type Respond,
  refusalIn,
  servingAs,
  startHook,
  webhook,
  yes,
} from './webhooks.test.kit.js'

const name = 'check.example.com'

/** Creates something while a validating webhook answers in some way; gives the answer and where the webhook is. */
async function asked(
  context: TestContext,
  respond: Respond,
  more: object = {},
): Promise<{ reply: Reply; url: string }> {
  const hook = await startHook(context, respond)
  const server = await openWebhookServer(context)
  await server.register('Validating', 'c', webhook(name, hook.url, more))
  const reply = await server.create('a')
  equal((await server.send('GET', '/api/v1/namespaces/default')).code, 200, 'the server lives on')
  return { reply, url: hook.url }
}

function failed(why: string): object {
  const message = `failed calling webhook "${name}": ${why}`
  const details = { causes: [{ message }] }
  return { code: 500, message: `Internal error occurred: ${message}`, reason: 'InternalError', details }
}

const raw =
  (status: number, type: string, body: string): Respond =>
  (_, { outgoing }) => {
    outgoing.writeHead(status, { 'content-type': type }).end(body)
    return undefined
  }

describe('A webhook that fails ends the request, and is named', () => {
  it('when it takes too long', async (context) => {
    const { reply, url } = await asked(context, () => undefined, { timeoutSeconds: 1 })
    deepEqual(refusalIn(reply), failed(`failed to call webhook: Post "${url}?timeout=1s": context deadline exceeded`))
  })

  it('when it breaks the connection, before or amidst the response', async (context) => {
    const before = await asked(context, (_, { incoming }) => void incoming.socket.destroy())
    deepEqual(refusalIn(before.reply), failed(`failed to call webhook: Post "${before.url}?timeout=10s": EOF`))
    const amidst = await asked(context, (_, { outgoing }) => {
      outgoing.writeHead(200, { 'content-length': '1000' }).write('{"kind":', () => outgoing.destroy())
      return undefined
    })
    const why =
      'failed to call webhook: unexpected error when reading response body. Please retry. Original error: unexpected EOF'
    deepEqual(refusalIn(amidst.reply), failed(why))
  })

  it('when nobody is there', async (context) => {
    const server = await openWebhookServer(context)
    await server.register('Validating', 'c', webhook(name, 'https://127.0.0.1:1/x'))
    const why = 'Post "https://127.0.0.1:1/x?timeout=10s": dial tcp 127.0.0.1:1: connect: connection refused'
    deepEqual(refusalIn(await server.create('a')), failed(`failed to call webhook: ${why}`))
  })

  it('when its certificate leads to somebody else, or names somebody else', async (context) => {
    const stranger = Buffer.from(createTestAuthority('stranger').cert).toString('base64')
    const hook = await startHook(context, yes)
    const server = await openWebhookServer(context)
    await server.register(
      'Validating',
      'c',
      webhook(name, hook.url, { clientConfig: { url: hook.url, caBundle: stranger } }),
    )
    const unknown = 'tls: failed to verify certificate: x509: certificate signed by unknown authority'
    deepEqual(
      refusalIn(await server.create('a')),
      failed(`failed to call webhook: Post "${hook.url}?timeout=10s": ${unknown}`),
    )
    equal(hook.reviews.length, 0)
    const other = await startHook(context, yes, servingAs('elsewhere.example.com', '192.0.2.1'))
    await server.send('DELETE', '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/c')
    await server.register('Validating', 'c', webhook(name, other.url))
    const named = 'certificate is valid for elsewhere.example.com, 192.0.2.1, not 127.0.0.1'
    const why = `tls: failed to verify certificate: x509: ${named}`
    deepEqual(
      refusalIn(await server.create('a')),
      failed(`failed to call webhook: Post "${other.url}?timeout=10s": ${why}`),
    )
    equal(other.reviews.length, 0)
  })

  it('when it answers with what is no review', async (context) => {
    const answers: readonly (readonly [string, string | RegExp])[] = [
      ['hello', /couldn't get version\/kind; json parse error: json: cannot unmarshal string into Go value/],
      ['{"kind":', "failed to call webhook: couldn't get version/kind; json parse error: unexpected end of JSON input"],
      ['', 'failed to call webhook: 0-length response with status code: 200 and content type: application/json'],
      ['{}', 'received invalid webhook response: webhook response was absent'],
      [
        '{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1beta1","response":{"allowed":true}}',
        'failed to call webhook: converting (v1beta1.AdmissionReview) to (v1.AdmissionReview): unknown conversion',
      ],
      ['{"kind":"Pod","apiVersion":"v1"}', /no kind "Pod" is registered for version "v1" in scheme/],
      ['{"kind":"Status","apiVersion":"v1","status":"Failure","message":"no idea"}', 'failed to call webhook: no idea'],
    ]
    for (const [body, why] of answers) {
      const { reply } = await asked(context, raw(200, 'application/json', body))
      if (typeof why === 'string') deepEqual(refusalIn(reply), failed(why))
      else match(String(reply.body.message), why)
      match(String(reply.body.message), /failed calling webhook "check\.example\.com": /)
    }
  })

  it('when a field of its review is of the wrong type', async (context) => {
    const { reply } = await asked(context, () => ({ allowed: 'yes' }))
    match(
      String(reply.body.message),
      /failed to call webhook: json: cannot unmarshal string into Go struct field .*allowed of type bool/,
    )
  })

  it('when it answers another question, or in another form', async (context) => {
    const wrong = await asked(context, () => ({ allowed: true, uid: 'other' }))
    match(
      String(wrong.reply.body.message),
      /received invalid webhook response: expected response\.uid="[-0-9a-f]{36}", got "other"$/,
    )
    const untyped = await asked(context, ({ request: { uid } }, { outgoing }) => {
      outgoing.end(JSON.stringify({ response: { uid, allowed: true } }))
      return undefined
    })
    const expected = 'expected webhook response of admission.k8s.io/v1, Kind=AdmissionReview, got /, Kind='
    deepEqual(refusalIn(untyped.reply), failed(`received invalid webhook response: ${expected}`))
    const patching = await asked(context, () => ({ allowed: true, patch: 'W10=', patchType: 'JSONPatch' }))
    const why = 'received invalid webhook response: validating webhook may not return response.patch'
    deepEqual(refusalIn(patching.reply), failed(why))
  })

  it('when it says that it failed, and then in its own words as far as these are text', async (context) => {
    const error = (why: string) => failed(`failed to call webhook: ${why}`)
    const text = await asked(context, raw(500, 'text/plain', ' boom\n'))
    deepEqual(refusalIn(text.reply), error('an error on the server ("boom") has prevented the request from succeeding'))
    const other = await asked(context, raw(502, 'application/json', '[1]'))
    deepEqual(
      refusalIn(other.reply),
      error('an error on the server ("unknown") has prevented the request from succeeding'),
    )
    const status = JSON.stringify({
      kind: 'Status',
      apiVersion: 'v1',
      status: 'Failure',
      message: 'too tired',
      code: 503,
    })
    const told = await asked(context, raw(503, 'application/json', status))
    deepEqual(refusalIn(told.reply), error('too tired'))
  })

  it('when it sends the server somewhere else', async (context) => {
    const other = await startHook(context, yes)
    const { reply } = await asked(context, (_, { outgoing }) => {
      outgoing.writeHead(307, { location: other.url }).end()
      return undefined
    })
    const why = 'the server responded with the status code 307 but did not return more information'
    deepEqual(refusalIn(reply), failed(`failed to call webhook: ${why}`))
    equal(other.reviews.length, 0)
  })

  it('when it never stops answering', async (context) => {
    const { reply } = await asked(context, (_, { outgoing }) => {
      const chunk = Buffer.alloc(1024 * 1024, ' ')
      const pour = () => void (outgoing.destroyed || outgoing.write(chunk, () => setImmediate(pour)))
      pour()
      return undefined
    })
    match(String(reply.body.message), /failed calling webhook "check\.example\.com": .*the response is too long/)
  })

  it('and the next one is not answered by what came too much', async (context) => {
    const hook = await startHook(context, (review, { incoming: { socket } }) => {
      const answer = answerTo(review, { allowed: true })
      const head = `HTTP/1.1 200 OK\r\nContent-Length: ${answer.length}\r\n\r\n`
      socket.write(`${head}${answer}${head}${answer}`)
      return undefined
    })
    const server = await openWebhookServer(context)
    await server.register('Validating', 'c', webhook(name, hook.url))
    equal((await server.create('a')).code, 201)
    equal((await server.create('b')).code, 201)
  })

  it('unless its failures do not matter', async (context) => {
    const { reply } = await asked(context, raw(500, 'text/plain', 'boom'), { failurePolicy: 'Ignore' })
    equal(reply.code, 201)
  })

  it('also if its configuration is deleted while it is being asked', async (context) => {
    const server = await openWebhookServer(context)
    const hook = await startHook(context, async () => {
      await server.send('DELETE', '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/c')
      return { allowed: false }
    })
    await server.register('Validating', 'c', webhook(name, hook.url))
    equal((await server.create('a')).code, 400)
    equal((await server.create('a')).code, 201)
    equal(hook.reviews.length, 1)
  })
})
