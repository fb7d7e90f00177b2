import { X509Certificate } from 'node:crypto'
import type { ConnectionPeer } from '../serving/peer.js'
import type { CountsCertificate } from './client-certificate.js'

const block = /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g

/**
 * A bundle of authorities, as it is now: whether a connection's certificate leads to one of them. The connection itself was
 * accepted for a certificate of any authority that the server knows; they must not stand in for each other.
 */
export function leadsTo(bundle: () => string): CountsCertificate {
  let known = ''
  let roots: ReadonlySet<string> = new Set()
  return ({ root }: ConnectionPeer) => {
    const current = bundle()
    if (current !== known) {
      known = current
      roots = new Set((current.match(block) ?? []).map((pem) => bytesText(new X509Certificate(pem).raw)))
    }
    return root !== undefined && roots.has(bytesText(root))
  }
}

function bytesText(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('latin1')
}
