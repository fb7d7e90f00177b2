import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemClock } from '../../base/clock.js'
import { thisHost } from '../../client/host-access.js'
import { authority } from '../../testing/https-server.js'
import { dispatching } from './dispatch.js'

const base64 = (text: string) => Buffer.from(text).toString('base64')

/** A way to nobody, with these credentials. */
function wayWith(user: object) {
  const cluster = { 'certificate-authority-data': base64(authority.cert) }
  const connection = { server: 'https://127.0.0.1:1', namespace: 'default', cluster, user }
  return dispatching(connection, { machine: thisHost(), clock: systemClock, userAgent: 'test', headers: {} })
}

const request = {
  method: 'GET',
  target: '/version',
  headers: {},
  data: undefined,
  signal: new AbortController().signal,
}

for (const [what, user, expected] of [
  ['a certificate that is none', { 'client-certificate-data': base64('x'), 'client-key-data': base64('y') }, /PEM/],
  ['a certificate that is not there', { 'client-certificate': '/not/there', 'client-key': '/nor/there' }, /not\/there/],
  ['a server that does not answer', {}, /ECONNREFUSED/],
] as const)
  test(`${what}: to begin a connection does not fail, and the request tells what is wrong`, async () => {
    const { begin, dispatch, close } = await wayWith(user)
    await begin()
    await assert.rejects(dispatch(request), expected)
    close()
  })
