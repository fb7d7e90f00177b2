import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { type Environment, environment } from '../../../base/environment.js'
import { programMissing } from '../../../testing/processes/programs.js'
import { firstAddress, servingHosts } from '../host-addresses.js'
import { PkiError, preparePki } from './pki.js'

const day = 24 * 60 * 60_000
const hosts = ['localhost', 'kubernetes.default.svc', '127.0.0.1', '::1', '10.96.0.1']

function folderFor(context: TestContext): string {
  const parent = mkdtempSync(join(tmpdir(), 'proa-pki-'))
  context.after(() => rmSync(parent, { recursive: true }))
  return join(parent, 'pki')
}

function later(milliseconds: number): Environment {
  const { clock } = environment()
  return environment({
    clock: {
      now: () => clock.now() + milliseconds,
      monotonic: () => 0,
      timer: (delay, run) => clock.timer(delay, run),
    },
  })
}

function contents(folder: string): Record<string, string> {
  return Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]))
}

/** What differs, by name. */
function changes(before: Record<string, string>, after: Record<string, string>): string[] {
  return Object.keys(after)
    .filter((name) => before[name] !== after[name])
    .sort()
}

function openssl(...args: string[]): string {
  return execFileSync('openssl', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
}

describe('the keys of a cluster', () => {
  test('are made at the first start, for their owner alone', (context) => {
    const folder = folderFor(context)
    preparePki({ folder, hosts }, environment())
    assert.equal(statSync(folder).mode & 0o777, 0o700)
    const pairs = [
      'admin',
      'apiserver',
      'apiserver-kubelet-client',
      'ca',
      'controller-manager',
      'kubelet',
      'proxy',
      'scheduler',
    ]
    const names = [...pairs.flatMap((name) => [`${name}.crt`, `${name}.key`]), 'sa.key'].sort()
    assert.deepEqual(readdirSync(folder).sort(), names)
    for (const name of names) assert.equal(statSync(join(folder, name)).mode & 0o777, 0o600)
  })

  test('stand up to the strictest verification', { skip: programMissing('openssl') }, (context) => {
    const folder = folderFor(context)
    preparePki({ folder, hosts }, environment())
    const file = (name: string) => join(folder, name)
    const verify = (...args: string[]) => openssl('verify', '-x509_strict', '-CAfile', file('ca.crt'), ...args)
    for (const host of ['localhost', 'kubernetes.default.svc'])
      verify('-purpose', 'sslserver', '-verify_hostname', host, file('apiserver.crt'))
    for (const address of ['127.0.0.1', '::1', '10.96.0.1'])
      verify('-purpose', 'sslserver', '-verify_ip', address, file('apiserver.crt'))
    verify('-purpose', 'sslclient', file('admin.crt'))
    assert.throws(() => verify('-purpose', 'sslclient', file('apiserver.crt')))
    assert.throws(() => verify('-purpose', 'sslserver', file('admin.crt')))
    assert.throws(() => verify('-verify_hostname', 'elsewhere', file('apiserver.crt')))
    assert.equal(
      openssl('x509', '-in', file('admin.crt'), '-noout', '-subject').trim(),
      'subject=O = system:masters, CN = kubernetes-admin',
    )
  })

  test('are used again at later starts', (context) => {
    const folder = folderFor(context)
    const first = preparePki({ folder, hosts }, environment())
    const before = contents(folder)
    assert.deepEqual(preparePki({ folder, hosts }, environment()), first)
    assert.deepEqual(contents(folder), before)
  })

  test('differ from cluster to cluster', (context) => {
    const [one, other] = [folderFor(context), folderFor(context)].map((folder) =>
      preparePki({ folder, hosts }, environment()),
    )
    assert.notEqual(one!.authority, other!.authority)
    assert.notEqual(one!.serviceAccountKey, other!.serviceAccountKey)
  })

  test('are renewed before their certificates end, and what was signed before stays valid', (context) => {
    const folder = folderFor(context)
    const first = preparePki({ folder, hosts }, environment())
    const before = contents(folder)
    preparePki({ folder, hosts }, later(240 * day))
    assert.deepEqual(changes(before, contents(folder)), [])
    preparePki({ folder, hosts }, later(250 * day))
    const renewed = [
      'admin',
      'apiserver',
      'apiserver-kubelet-client',
      'controller-manager',
      'kubelet',
      'proxy',
      'scheduler',
    ]
    assert.deepEqual(
      changes(before, contents(folder)),
      renewed.flatMap((name) => [`${name}.crt`, `${name}.key`]).sort(),
    )
    const last = preparePki({ folder, hosts }, later(9 * 365 * day))
    assert.equal(contents(folder)['ca.key'], before['ca.key'])
    assert.notEqual(last.authority, first.authority)
    const { publicKey } = new X509Certificate(last.authority)
    const clients = first.clients.map(({ credential }) => credential)
    for (const { cert } of [first.serving, ...clients, last.serving])
      assert.ok(new X509Certificate(cert).verify(publicKey))
  })

  test('follow the names of the server', (context) => {
    const folder = folderFor(context)
    preparePki({ folder, hosts }, environment())
    const before = contents(folder)
    const { serving } = preparePki({ folder, hosts: [...hosts, 'new.example', '192.0.2.7'] }, environment())
    assert.deepEqual(changes(before, contents(folder)), ['apiserver.crt', 'apiserver.key'])
    const certificate = new X509Certificate(serving.cert)
    assert.ok(certificate.checkHost('new.example') && certificate.checkIP('192.0.2.7') && certificate.checkIP('::1'))
  })

  const accidents: Readonly<Record<string, readonly string[]>> = {
    'ca.crt': ['ca.crt'],
    'apiserver.crt': ['apiserver.crt', 'apiserver.key'],
    'admin.key': ['admin.crt', 'admin.key'],
    'sa.key': ['sa.key'],
  }
  for (const [missing, made] of Object.entries(accidents))
    test(`are brought into order when ${missing} is missing, as after a crash`, (context) => {
      const folder = folderFor(context)
      preparePki({ folder, hosts }, environment())
      const before = contents(folder)
      rmSync(join(folder, missing))
      const { authority, serving } = preparePki({ folder, hosts }, environment())
      assert.deepEqual(changes(before, contents(folder)), made)
      assert.ok(new X509Certificate(serving.cert).verify(new X509Certificate(authority).publicKey))
    })

  test('do not mix: a certificate with the key of another is made anew', (context) => {
    const folder = folderFor(context)
    preparePki({ folder, hosts }, environment())
    writeFileSync(join(folder, 'apiserver.key'), contents(folder)['admin.key']!)
    const { serving } = preparePki({ folder, hosts }, environment())
    assert.equal(contents(folder)['apiserver.crt'], serving.cert)
    assert.notEqual(serving.key, contents(folder)['admin.key'])
  })

  test('of the authority are never replaced behind its owner', (context) => {
    const folder = folderFor(context)
    preparePki({ folder, hosts }, environment())
    const caKey = contents(folder)['ca.key']!
    rmSync(join(folder, 'ca.key'))
    preparePki({ folder, hosts }, environment()) // nothing is to be signed
    assert.throws(() => preparePki({ folder, hosts: ['elsewhere'] }, environment()), PkiError)
    writeFileSync(join(folder, 'ca.key'), contents(folder)['admin.key']!)
    assert.throws(() => preparePki({ folder, hosts }, environment()), /is not the key of ca.crt/)
    writeFileSync(join(folder, 'ca.key'), caKey)
    preparePki({ folder, hosts: ['elsewhere'] }, environment())
  })

  test('can come from an authority that somebody brings along', { skip: programMissing('openssl') }, (context) => {
    const folder = folderFor(context)
    preparePki({ folder, hosts }, environment())
    const [key, cert] = [join(folder, 'ca.key'), join(folder, 'ca.crt')]
    const subject = '/C=DE/O=Größe und Söhne/OU=x+serialNumber=7/CN=their authority'
    openssl(
      'req',
      '-x509',
      '-newkey',
      'rsa:2048',
      '-nodes',
      '-utf8',
      '-days',
      '3650',
      '-subj',
      subject,
      '-multivalue-rdn',
      '-keyout',
      key,
      '-out',
      cert,
    )
    preparePki({ folder, hosts }, environment())
    openssl('verify', '-CAfile', cert, join(folder, 'apiserver.crt'), join(folder, 'admin.crt'))
  })
})

describe('the hosts of a server', () => {
  test('are its names inside the cluster, on this machine, and elsewhere', () => {
    const all = servingHosts(['10.96.0.0/16', 'fd00:1234::/108'], ['192.0.2.9'])
    const expected = [
      'kubernetes',
      'kubernetes.default',
      'kubernetes.default.svc',
      'kubernetes.default.svc.cluster.local',
    ]
    for (const host of [...expected, 'localhost', '127.0.0.1', '::1', '10.96.0.1', 'fd00:1234::1', '192.0.2.9'])
      assert.ok(all.includes(host), host)
    assert.equal(new Set(all).size, all.length)
  })
  test('begin where a range does, even if it was not written so', () => {
    assert.equal(firstAddress('10.0.0.77/24'), '10.0.0.1')
    assert.throws(() => firstAddress('10.0.0.0'), /not a range/)
  })
})
