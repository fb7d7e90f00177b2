import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openWorld, refusalOf } from './admission.test.kit.js'
import { certificateApproval, certificateSigning } from './certificates.js'

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
  const world = await openWorld()
  const asked: string[] = []
  const permit = (name: string) => (attributes: { readonly verb: string; readonly name: string }) => {
    asked.push(`${attributes.verb} ${attributes.name}`)
    return attributes.name === name
  }
  const approve = (name: string) =>
    world.admit(certificateApproval(permit(name)), { object: request(), old: request(), subresource: 'approval' })
  await approve('example.com/staff')
  await approve('example.com/*')
  assert.match(
    await refusalOf(approve('example.org/*')),
    /user not permitted to approve requests with signerName "example.com\/staff"/,
  )
  assert.deepEqual(asked.slice(1, 3), ['approve example.com/staff', 'approve example.com/*'])
  const issued = { object: request({ certificate: 'eA==' }), old: request(), subresource: 'status' }
  assert.match(
    await refusalOf(
      world.admit(
        certificateSigning(() => false),
        issued,
      ),
    ),
    /user not permitted to sign requests with signerName "example.com\/staff"/,
  )
  await world.admit(
    certificateSigning(() => false),
    { object: request(), old: request(), subresource: 'status' },
  )
})
