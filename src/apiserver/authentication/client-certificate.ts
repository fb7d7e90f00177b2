import { createHash, X509Certificate } from 'node:crypto'
import type { Clock } from '../../base/clock.js'
import type { RequestUser } from '../request/user.js'
import type { ConnectionPeer } from '../serving/peer.js'
import { type Authenticator, BadCredentials } from './authenticator.js'

/** What a certificate says, as long as it is valid. Times in milliseconds since the epoch. */
export interface CertificateClaim {
  /** Undefined where the certificate names nobody. */
  readonly user: RequestUser | undefined
  readonly notBefore: number
  readonly notAfter: number
}

/** Whether it counts that a connection's certificate was signed: by one of these authorities, and not by somebody else's. */
export type AcceptsCertificate = (peer: ConnectionPeer) => boolean

/**
 * The common name of a client's certificate is its user, the organizations are its groups. That the client's authority signed
 * it was checked when the connection was made; a connection may outlive its certificate, so the dates are checked each time.
 */
export function clientCertificateAuthenticator(clock: Clock, counts: AcceptsCertificate = () => true): Authenticator {
  const claimOf = certificateClaims()
  return {
    name: 'client certificate',
    authenticate(request) {
      const { certificate, certificateFault }: ConnectionPeer = request.peer
      if (certificateFault !== undefined)
        throw new BadCredentials(`the client's certificate is refused: ${certificateFault}`)
      if (certificate === undefined) return undefined
      if (!counts(request.peer)) return undefined
      const claim = claimOf(certificate)
      checkCertificateTimes(claim, clock.now())
      return claim.user
    },
  }
}

/** Reads certificates, each once: by the bytes that a connection hands out, which are the same for all of its requests. */
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
  // Never from the text form of the subject, in which a name could pass for several.
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
