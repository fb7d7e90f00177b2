import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ConnectionConfig } from '../connection-config.js'
import { type HostAccess, thisHost } from '../host-access.js'
import { trustOf } from './server-trust.js'

const pem = '-----BEGIN CERTIFICATE-----'
const own = { 'certificate-authority-data': Buffer.from(`${pem} own`).toString('base64') }

/** A machine with these files and nothing else. */
function host(files: Readonly<Record<string, string>>, variables: HostAccess['variables'] = {}): HostAccess {
  const read = async (path: string) => {
    const content = files[path]
    if (content === undefined) throw Object.assign(new Error(`no ${path}`), { code: 'ENOENT' })
    return content
  }
  return { ...thisHost(), variables, files: { ...thisHost().files, read } }
}

const debian = { '/etc/ssl/certs/ca-certificates.crt': `${pem} everybody`, '/mine.pem': `${pem} mine` }

async function authority(
  on: HostAccess,
  cluster: ConnectionConfig['cluster'],
  server = 'https://x',
): Promise<string | undefined> {
  const trust = await trustOf({ server, namespace: '', user: {}, cluster: { server, ...cluster } }, on)
  return trust.authority
}

test('a server is verified with its own CA if there is one', async () => {
  assert.equal(await authority(host(debian), own), `${pem} own`)
})

test('and with the roots of the system otherwise, or those of SSL_CERT_FILE', async () => {
  assert.equal(await authority(host(debian), {}), `${pem} everybody`)
  assert.equal(await authority(host({ '/etc/ssl/cert.pem': `${pem} other` }), {}), `${pem} other`)
  assert.equal(await authority(host(debian, { SSL_CERT_FILE: '/mine.pem' }), {}), `${pem} mine`)
  assert.equal(await authority(host({}), {}), undefined)
})

test('without verification no file is read', async () => {
  assert.equal(await authority(host(debian), { 'insecure-skip-tls-verify': true }), undefined)
  assert.equal(await authority(host(debian), {}, 'http://x'), undefined)
})
