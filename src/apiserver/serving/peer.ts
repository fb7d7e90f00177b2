import type { X509Certificate } from 'node:crypto'
import type { TLSSocket } from 'node:tls'
import type { Peer } from '../request/request-context.js'

/** Who is at the other end of a TLS connection. Looked up once, when the connection is made. */
export interface ConnectionPeer extends Peer {
  /** Why the certificate that the client showed does not count: it has proved nothing, but it has tried to. */
  readonly certificateFault?: string
  /** The same certificate, with those that the client sent along. */
  readonly shown?: X509Certificate
}

export function peerOf(socket: TLSSocket): ConnectionPeer {
  const address = plainAddress(socket.remoteAddress ?? '')
  const certificate = socket.getPeerX509Certificate()
  if (!certificate) return { address }
  if (!socket.authorized) return { address, certificateFault: String(socket.authorizationError) }
  return { address, certificate: certificate.raw, shown: certificate }
}

/** A socket for both families shows those of version 4 as a part of version 6. */
function plainAddress(address: string): string {
  return address.startsWith('::ffff:') ? address.slice('::ffff:'.length) : address
}
