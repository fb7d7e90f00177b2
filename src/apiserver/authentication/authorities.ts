import { X509Certificate } from 'node:crypto'
import type { ConnectionPeer } from '../serving/peer.js'
import type { AcceptsCertificate } from './client-certificate.js'

const block = /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g

/** Upper bound of intermediate certificates. */
const maxChainLength = 10

/**
 * Returns a function that checks whether a connection's certificate was issued by the bundle, which it reads at each call. TLS accepts the
 * authorities of clients and of proxies alike; this check keeps them apart.
 */
export function isIssuedByBundle(bundle: () => string): AcceptsCertificate {
  let known = ''
  let authorities: readonly X509Certificate[] = []
  /** Results, by connection. */
  let results = new WeakMap<ConnectionPeer, boolean>()
  return (peer) => {
    const current = bundle()
    if (current !== known) {
      known = current
      authorities = (current.match(block) ?? []).map((pem) => new X509Certificate(pem))
      results = new WeakMap()
    }
    const result = results.get(peer) ?? isIssuedBy(peer.shown, authorities)
    results.set(peer, result)
    return result
  }
}

/** Checks every signature of the chain: a client may send any intermediate certificates. */
function isIssuedBy(shown: X509Certificate | undefined, authorities: readonly X509Certificate[]): boolean {
  let certificate = shown
  for (let steps = 0; certificate && steps < maxChainLength; steps++) {
    const subject = certificate
    if (authorities.some((authority) => hasIssued(authority, subject))) return true
    const issuer = subject.issuerCertificate
    certificate = issuer?.ca && hasIssued(issuer, subject) ? issuer : undefined
  }
  return false
}

function hasIssued(issuer: X509Certificate, subject: X509Certificate): boolean {
  return subject.checkIssued(issuer) && subject.verify(issuer.publicKey)
}
