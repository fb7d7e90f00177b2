import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testAuthority } from '../../testing/servers/https-server.js'
import { connect } from '../connect.js'

const base64 = (text: string) => Buffer.from(text).toString('base64')

/** A connection to a server that does not exist, with these credentials. */
function connectAs(user: object) {
  const cluster = { 'certificate-authority-data': base64(testAuthority.cert) }
  return connect({ server: 'https://127.0.0.1:1', namespace: 'default', cluster, user })
}

for (const [what, user, expected] of [
  ['an invalid certificate', { 'client-certificate-data': base64('x'), 'client-key-data': base64('y') }, /PEM/],
  ['a missing certificate file', { 'client-certificate': '/not/there', 'client-key': '/nor/there' }, /not\/there/],
  ['a server that does not listen', {}, /ECONNREFUSED/],
] as const)
  test(`with ${what}, preconnect does not fail, and the request reports the error`, async () => {
    const { connection, close } = await connectAs(user)
    await connection.preconnect()
    await assert.rejects(connection.send({ path: '/version' }), expected)
    close()
  })
