import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { sleep, systemClock } from '../../base/clock.js'
import { startTestCluster } from '../cluster.js'
import { programMissing } from '../processes/programs.js'
import { type Identity, whoAmI } from '../servers/whoami.js'
import { Kubectl, kubectlMissing } from './kubectl.js'

const controllers = ['certificatesigningrequest-signing-controller', 'certificatesigningrequest-approving-controller']

function openssl(...args: string[]): void {
  execFileSync('openssl', args, { stdio: 'pipe' })
}

/** Waits until kubectl shows something. */
async function shown(kubectl: Kubectl, name: string, path: string): Promise<string> {
  for (;;) {
    const text = await kubectl.ok('get', 'csr', name, `--output=jsonpath={${path}}`)
    if (text !== '') return text
    await sleep(systemClock, 50)
  }
}

const skip = kubectlMissing() || programMissing('openssl')

test('jane asks for a certificate, is approved, and comes in with it', { skip, timeout: 60_000 }, async () => {
  await using cluster = await startTestCluster({ controllers })
  const kubectl = new Kubectl(cluster)
  const [key, csr] = [kubectl.file('jane.key', ''), kubectl.file('jane.csr', '')]
  openssl('genpkey', '-algorithm', 'RSA', '-pkeyopt', 'rsa_keygen_bits:2048', '-out', key)
  openssl('req', '-new', '-key', key, '-subj', '/O=dev/O=ops/CN=jane', '-out', csr)
  const request = readFileSync(csr).toString('base64')
  const usages = ['client auth', 'digital signature']
  const spec = { request, signerName: 'kubernetes.io/kube-apiserver-client', usages, expirationSeconds: 3600 }
  const created = {
    apiVersion: 'certificates.k8s.io/v1',
    kind: 'CertificateSigningRequest',
    metadata: { name: 'jane' },
    spec,
  }
  await kubectl.create(created)
  assert.deepEqual((await kubectl.table('get', 'csr'))[1]?.slice(2), [
    'kubernetes.io/kube-apiserver-client',
    'kubernetes-admin',
    '60m',
    'Pending',
  ])

  assert.match(
    await kubectl.ok('certificate', 'approve', 'jane'),
    /certificatesigningrequest.certificates.k8s.io\/jane approved/,
  )
  const cert = Buffer.from(await shown(kubectl, 'jane', '.status.certificate'), 'base64').toString()
  assert.equal((await kubectl.table('get', 'csr'))[1]?.at(-1), 'Approved,Issued')
  const credential = { key: readFileSync(key, 'utf8'), cert }
  const identity = (await whoAmI(cluster, { credential })) as Identity
  assert.equal(identity.username, 'jane')
  assert.deepEqual([...(identity.groups ?? [])].sort(), ['dev', 'ops', 'system:authenticated'])

  const options = [`--client-certificate=${kubectl.file('jane.crt', cert)}`, `--client-key=${key}`]
  const ca = kubectl.file('ca.crt', cluster.authority)
  const own = [
    `--kubeconfig=${kubectl.file('none', '')}`,
    `--server=${cluster.url}`,
    `--certificate-authority=${ca}`,
    ...options,
  ]
  assert.match(await kubectl.fails(...own, 'get', 'pods'), /User "jane" cannot list resource "pods"/)
  kubectl.close()
})

test('who is denied gets nothing, and who asks for the wrong thing is told why', {
  skip,
  timeout: 60_000,
}, async () => {
  await using cluster = await startTestCluster({ controllers })
  const kubectl = new Kubectl(cluster)
  const [key, csr] = [kubectl.file('jim.key', ''), kubectl.file('jim.csr', '')]
  openssl(
    'req',
    '-new',
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:P-384',
    '-nodes',
    '-keyout',
    key,
    '-subj',
    '/CN=jim',
    '-out',
    csr,
  )
  const request = readFileSync(csr).toString('base64')
  const kind = { apiVersion: 'certificates.k8s.io/v1', kind: 'CertificateSigningRequest' }
  const signerName = 'kubernetes.io/kube-apiserver-client'
  await kubectl.create(
    { ...kind, metadata: { name: 'denied' }, spec: { request, signerName, usages: ['client auth'] } },
    { ...kind, metadata: { name: 'wrong' }, spec: { request, signerName, usages: ['server auth'] } },
  )
  await kubectl.ok('certificate', 'deny', 'denied')
  await kubectl.ok('certificate', 'approve', 'wrong')
  assert.equal(
    await shown(kubectl, 'wrong', '.status.conditions[?(@.type=="Failed")].message'),
    'invalid usage for client certificate: server auth',
  )
  const rows = (await kubectl.table('get', 'csr')).map((row) => `${row[0]} ${row.at(-1)}`)
  assert.deepEqual(rows, ['NAME CONDITION', 'denied Denied', 'wrong Approved,Failed'])
  kubectl.close()
})
