import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { CertificateSigningRequest } from '../../api/certificates/v1/certificate-signing-request.js'
import { environment } from '../../base/environment.js'
import { seededRandom } from '../../base/random.js'
import { VirtualClock } from '../../base/virtual-clock.js'
import { issue } from '../../wire/x509/certificate.js'
import { decide } from './decide.js'

const minute = 60_000
const hour = 60 * minute
const clock = new VirtualClock()
const made = clock.now()
const testEnvironment = environment({ clock, random: seededRandom(1) })

function certificate(life: number): string {
  const { cert } = issue({ commonName: 'jane', use: 'client', notAfter: made + life }, testEnvironment)
  return Buffer.from(cert).toString('base64')
}

/** All conditions were set an hour after the creation. */
function request(types: readonly string[], issued?: string): CertificateSigningRequest {
  const lastUpdateTime = new Date(made + hour).toISOString().replace('.000Z', 'Z')
  const conditions = types.map((type) => ({ type, status: 'True', lastUpdateTime }))
  const metadata = { name: 'r', creationTimestamp: new Date(made).toISOString().replace('.000Z', 'Z') }
  return { metadata, spec: {}, status: { conditions, certificate: issued } } as unknown as CertificateSigningRequest
}

describe('a certificate signing request is deleted', () => {
  for (const [what, asked, expected] of [
    ['a day after its creation, if nobody decides it', request([]), 23 * hour],
    ['an hour after it was denied', request(['Denied']), hour],
    ['an hour after it failed', request(['Approved', 'Failed']), hour],
    ['an hour after it was approved, if it has a certificate', request(['Approved'], certificate(9 * hour)), hour],
    ['when its certificate expires', request(['Approved'], certificate(hour + 20 * minute)), 20 * minute],
    ['a day after it was approved, if it has no certificate', request(['Approved']), 24 * hour],
    ['never, if it has an unknown condition', request(['Perhaps']), undefined],
  ] as const)
    test(what, () => assert.equal(decide({ request: asked, now: made + hour })?.deleteAfter, expected))

  test('at once, if that time is over', () =>
    assert.equal(decide({ request: request(['Denied']), now: made + 3 * hour })?.deleteAfter, 0))
})
