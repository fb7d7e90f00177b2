import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Connection } from './connection.js'
import { type Machine, thisMachine } from './machine.js'
import { trustOf } from './trust.js'

const pem = '-----BEGIN CERTIFICATE-----'
const own = { 'certificate-authority-data': Buffer.from(`${pem} own`).toString('base64') }

/** A machine with these files and nothing else. */
function machine(files: Readonly<Record<string, string>>, variables: Machine['variables'] = {}): Machine {
  const read = async (path: string) => {
    const content = files[path]
    if (content === undefined) throw Object.assign(new Error(`no ${path}`), { code: 'ENOENT' })
    return content
  }
  return { ...thisMachine(), variables, files: { ...thisMachine().files, read } }
}

const debian = { '/etc/ssl/certs/ca-certificates.crt': `${pem} everybody`, '/mine.pem': `${pem} mine` }

async function authority(
  on: Machine,
  cluster: Connection['cluster'],
  server = 'https://x',
): Promise<string | undefined> {
  const trust = await trustOf({ server, namespace: '', user: {}, cluster: { server, ...cluster } }, on)
  return trust.authority
}

test('a server is known by its own authority where one is named', async () => {
  assert.equal(await authority(machine(debian), own), `${pem} own`)
})

test('and by those of the system otherwise, or of whatever file SSL_CERT_FILE names', async () => {
  assert.equal(await authority(machine(debian), {}), `${pem} everybody`)
  assert.equal(await authority(machine({ '/etc/ssl/cert.pem': `${pem} other` }), {}), `${pem} other`)
  assert.equal(await authority(machine(debian, { SSL_CERT_FILE: '/mine.pem' }), {}), `${pem} mine`)
  assert.equal(await authority(machine({}), {}), undefined)
})

test('where nobody has to be known, nothing is read', async () => {
  assert.equal(await authority(machine(debian), { 'insecure-skip-tls-verify': true }), undefined)
  assert.equal(await authority(machine(debian), {}, 'http://x'), undefined)
})
