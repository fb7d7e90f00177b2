import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { CertificateSigningRequest } from '../../api/certificates/v1/certificate-signing-request.js'
import { environment } from '../../base/environment.js'
import { seededRandom } from '../../base/random.js'
import { VirtualClock } from '../../base/virtual-clock.js'
import { issue } from '../../wire/x509/certificate.js'
import { remainingLife } from './remaining-life.js'

const minute = 60_000
const hour = 60 * minute
const clock = new VirtualClock()
const made = clock.now()
const surroundings = environment({ clock, random: seededRandom(1) })

function certificate(life: number): string {
  const { cert } = issue({ commonName: 'jane', use: 'client', notAfter: made + life }, surroundings)
  return Buffer.from(cert).toString('base64')
}

/** Whatever was decided was decided an hour after it was asked for. */
function request(types: readonly string[], issued?: string): CertificateSigningRequest {
  const lastUpdateTime = new Date(made + hour).toISOString().replace('.000Z', 'Z')
  const conditions = types.map((type) => ({ type, status: 'True', lastUpdateTime }))
  const metadata = { name: 'r', creationTimestamp: new Date(made).toISOString().replace('.000Z', 'Z') }
  return { metadata, spec: {}, status: { conditions, certificate: issued } } as unknown as CertificateSigningRequest
}

describe('a request for a certificate stays', () => {
  for (const [what, asked, expected] of [
    ['for a day while nobody answers', request([]), 23 * hour],
    ['for an hour after it was refused', request(['Denied']), hour],
    ['for an hour after it failed', request(['Approved', 'Failed']), hour],
    [
      'for an hour after it was approved, when it has a certificate',
      request(['Approved'], certificate(9 * hour)),
      hour,
    ],
    ['until its certificate ends', request(['Approved'], certificate(hour + 20 * minute)), 20 * minute],
    ['for a day after it was approved, while it has none', request(['Approved']), 24 * hour],
    ['for ever, where a condition is there that nobody knows', request(['Perhaps']), undefined],
  ] as const)
    test(what, () => assert.equal(remainingLife(asked, made + hour), expected))

  test('no longer than that', () => assert.equal(remainingLife(request(['Denied']), made + 3 * hour), 0))
})
