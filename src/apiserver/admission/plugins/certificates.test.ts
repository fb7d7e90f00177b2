import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import { programMissing } from '../../../testing/processes/programs.js'
import { openPluginHarness, rejectionOf } from '../admission.test.kit.js'
import { certificateApproval, certificateSigning, certificateSubjectRestriction } from './certificates.js'

function request(status: object = {}): object {
  return {
    apiVersion: 'certificates.k8s.io/v1',
    kind: 'CertificateSigningRequest',
    metadata: { name: 'r' },
    spec: { request: '', signerName: 'example.com/staff' },
    status,
  }
}

test('who approves or signs must be allowed to for the signer, or for all of its domain', async () => {
  const harness = await openPluginHarness()
  const asked: string[] = []
  const permit = (name: string) => (attributes: { readonly verb: string; readonly name: string }) => {
    asked.push(`${attributes.verb} ${attributes.name}`)
    return attributes.name === name
  }
  const approve = (name: string) =>
    harness.admit(harness.create(certificateApproval, { isAllowed: permit(name) }), {
      object: request(),
      old: request(),
      subresource: 'approval',
    })
  await approve('example.com/staff')
  await approve('example.com/*')
  assert.match(
    await rejectionOf(approve('example.org/*')),
    /user not permitted to approve requests with signerName "example.com\/staff"/,
  )
  assert.deepEqual(asked.slice(1, 3), ['approve example.com/staff', 'approve example.com/*'])
  const issued = { object: request({ certificate: 'eA==' }), old: request(), subresource: 'status' }
  assert.match(
    await rejectionOf(harness.admit(harness.create(certificateSigning, { isAllowed: () => false }), issued)),
    /user not permitted to sign requests with signerName "example.com\/staff"/,
  )
  await harness.admit(harness.create(certificateSigning, { isAllowed: () => false }), {
    object: request(),
    old: request(),
    subresource: 'status',
  })
})

/** A request for a certificate, as `openssl` makes it, in the form in which it stands in an object. */
function pkcs10(subject: string): string {
  const args = ['req', '-new', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-subj', subject]
  return execFileSync('openssl', [...args, '-keyout', '/dev/null'], { stdio: ['ignore', 'pipe', 'ignore'] }).toString(
    'base64',
  )
}

test('nobody becomes an administrator by a certificate for clients', { skip: programMissing('openssl') }, async () => {
  const harness = await openPluginHarness()
  const ask = (signerName: string, subject: string) => {
    const base = request() as { readonly spec: object }
    const object = { ...base, spec: { ...base.spec, signerName, request: pkcs10(subject) } }
    return harness.admit(harness.create(certificateSubjectRestriction), { object })
  }
  assert.match(
    await rejectionOf(ask('kubernetes.io/kube-apiserver-client', '/O=system:masters/CN=eve')),
    /system:masters/,
  )
  await ask('kubernetes.io/kube-apiserver-client', '/O=staff/CN=eve')
  await ask('example.com/staff', '/O=system:masters/CN=eve')
})
