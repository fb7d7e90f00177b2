import { X509Certificate } from 'node:crypto'
import type { ConnectionPeer } from '../serving/peer.js'
import type { AcceptsCertificate } from './client-certificate.js'

const block = /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g

/** No authority needs more go-betweens. */
const longestChain = 10

/**
 * A bundle of authorities, as it is now: whether a connection's certificate leads to one of them. The connection itself was
 * accepted for a certificate of any authority that the server knows; they must not stand in for each other.
 */
export function isIssuedByBundle(bundle: () => string): AcceptsCertificate {
  let known = ''
  let authorities: readonly X509Certificate[] = []
  /** What was found out about connections. */
  let verdicts = new WeakMap<ConnectionPeer, boolean>()
  return (peer) => {
    const current = bundle()
    if (current !== known) {
      known = current
      authorities = (current.match(block) ?? []).map((pem) => new X509Certificate(pem))
      verdicts = new WeakMap()
    }
    const verdict = verdicts.get(peer) ?? isVouchedFor(peer.shown, authorities)
    verdicts.set(peer, verdict)
    return verdict
  }
}

/** Step by step, each with its signature: what a client sends along with its certificate may be anything. */
function isVouchedFor(shown: X509Certificate | undefined, authorities: readonly X509Certificate[]): boolean {
  let certificate = shown
  for (let steps = 0; certificate && steps < longestChain; steps++) {
    const subject = certificate
    if (authorities.some((authority) => vouches(authority, subject))) return true
    const issuer = subject.issuerCertificate
    certificate = issuer?.ca && vouches(issuer, subject) ? issuer : undefined
  }
  return false
}

function vouches(issuer: X509Certificate, subject: X509Certificate): boolean {
  return subject.checkIssued(issuer) && subject.verify(issuer.publicKey)
}
