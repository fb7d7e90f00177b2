import type { X509Certificate } from 'node:crypto'
import type { TLSSocket } from 'node:tls'
import type { Peer } from '../request/request-context.js'

/** The client of a TLS connection. Read once per connection. */
export interface ConnectionPeer extends Peer {
  /** Why the client's certificate is not accepted. */
  readonly certificateFault?: string
  /** The same certificate, with its chain. */
  readonly shown?: X509Certificate
}

export function peerOf(socket: TLSSocket): ConnectionPeer {
  const address = plainAddress(socket.remoteAddress ?? '')
  const certificate = socket.getPeerX509Certificate()
  if (!certificate) return { address }
  if (!socket.authorized) return { address, certificateFault: String(socket.authorizationError) }
  return { address, certificate: certificate.raw, shown: certificate }
}

/** A dual-stack socket reports IPv4 addresses as IPv4-mapped IPv6 addresses. */
function plainAddress(address: string): string {
  return address.startsWith('::ffff:') ? address.slice('::ffff:'.length) : address
}
