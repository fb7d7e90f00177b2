import type { TLSSocket } from 'node:tls'
import type { Peer } from '../exchange.js'

/** Who is at the other end of a TLS connection. Looked up once, when the connection is made. */
export interface ConnectionPeer extends Peer {
  /** Why the certificate that the client showed does not count: it has proved nothing, but it has tried to. */
  readonly certificateFault?: string
  /** The certificate of the authority at the end of the chain, in DER form. Looked up when it is first asked for. */
  readonly root?: Uint8Array
}

export function peerOf(socket: TLSSocket): ConnectionPeer {
  const address = plainAddress(socket.remoteAddress ?? '')
  const certificate = socket.getPeerX509Certificate()
  if (!certificate) return { address }
  if (!socket.authorized) return { address, certificateFault: String(socket.authorizationError) }
  const { raw } = certificate
  let root: Uint8Array | undefined
  return {
    address,
    certificate: raw,
    get root() {
      root ??= rootOf(socket)
      return root
    },
  }
}

/** An authority that vouches for itself is its own issuer. */
function rootOf(socket: TLSSocket): Uint8Array {
  let certificate = socket.getPeerCertificate(true)
  while (certificate.issuerCertificate && certificate.issuerCertificate !== certificate)
    certificate = certificate.issuerCertificate
  return certificate.raw
}

/** A socket for both families shows those of version 4 as a part of version 6. */
function plainAddress(address: string): string {
  return address.startsWith('::ffff:') ? address.slice('::ffff:'.length) : address
}
