import { createHash, X509Certificate } from 'node:crypto'
import type { Clock } from '../../base/clock.js'
import type { RequestUser } from '../request/user.js'
import type { ConnectionPeer } from '../serving/peer.js'
import { type Authenticator, BadCredentials } from './authenticator.js'

/** The user and the period of a certificate. Times in milliseconds since the epoch. */
export interface CertificateClaim {
  /** Undefined if the certificate has no common name. */
  readonly user: RequestUser | undefined
  readonly notBefore: number
  readonly notAfter: number
}

/** Whether the certificate of a connection was issued by the right authority. */
export type AcceptsCertificate = (peer: ConnectionPeer) => boolean

/**
 * Authenticates clients by certificate: the common name is the user, the organizations are the groups. TLS has verified the issuer when the
 * connection was made. A connection may outlive its certificate, so the dates are checked at each request.
 */
export function clientCertificateAuthenticator(clock: Clock, accepts: AcceptsCertificate = () => true): Authenticator {
  const claimOf = certificateClaims()
  return {
    name: 'client certificate',
    authenticate(request) {
      const { certificate, certificateFault }: ConnectionPeer = request.peer
      if (certificateFault !== undefined)
        throw new BadCredentials(`the client's certificate is rejected: ${certificateFault}`)
      if (certificate === undefined) return undefined
      if (!accepts(request.peer)) return undefined
      const claim = claimOf(certificate)
      checkCertificateTimes(claim, clock.now())
      return claim.user
    },
  }
}

/** Returns a function that parses certificates and caches the result by the byte array, which a connection reuses for all requests. */
export function certificateClaims(): (certificate: Uint8Array) => CertificateClaim {
  const claims = new WeakMap<Uint8Array, CertificateClaim>()
  return (certificate) => {
    const known = claims.get(certificate) ?? readClaim(certificate)
    claims.set(certificate, known)
    return known
  }
}

export function checkCertificateTimes({ notBefore, notAfter }: CertificateClaim, now: number): void {
  if (now < notBefore) throw new BadCredentials("the client's certificate is not valid yet")
  if (now > notAfter) throw new BadCredentials("the client's certificate has expired")
}

function readClaim(der: Uint8Array): CertificateClaim {
  const certificate = new X509Certificate(der)
  // Not from the text form of the subject, which is ambiguous.
  const subject = certificate.toLegacyObject().subject as Record<string, string | string[] | undefined>
  const name = [subject.CN ?? []].flat().at(-1) ?? ''
  const user: RequestUser = {
    name,
    uid: '',
    groups: [subject.O ?? []].flat(),
    extra: {
      'authentication.kubernetes.io/credential-id': [`X509SHA256=${createHash('sha256').update(der).digest('hex')}`],
    },
  }
  return {
    user: name === '' ? undefined : user,
    notBefore: Date.parse(certificate.validFrom),
    notAfter: Date.parse(certificate.validTo),
  }
}
