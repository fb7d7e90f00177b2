import { getServers } from 'node:dns'

/** Formats network errors like Go, as Kubernetes shows them. */

export interface NetworkError extends Error {
  readonly code?: string
  readonly address?: string
  readonly port?: number
  readonly hostname?: string
}

const dialReasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connect: connection refused',
  EHOSTUNREACH: 'connect: no route to host',
  ENETUNREACH: 'connect: network is unreachable',
  ETIMEDOUT: 'i/o timeout',
  EACCES: 'connect: permission denied',
  EADDRNOTAVAIL: 'connect: cannot assign requested address',
}

/** `dial tcp 10.0.0.7:80: connect: connection refused` */
export function dialWords(error: NetworkError): string {
  const { code = '', address, port } = error
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return lookupWords(error)
  const reason = dialReasons[code]
  if (reason === undefined) return transferWords(error)
  return address === undefined ? reason : `dial tcp ${endpoint(address, port ?? 0)}: ${reason}`
}

function lookupWords({ code, hostname = '' }: NetworkError): string {
  const reason = code === 'ENOTFOUND' ? 'no such host' : 'server misbehaving'
  const [server] = getServers()
  const on = server === undefined ? '' : ` on ${server.includes(']') ? server : endpoint(server, 53)}`
  return `dial tcp: lookup ${hostname}${on}: ${reason}`
}

/** An error of an established connection. */
function transferWords({ code, message }: NetworkError): string {
  if (message === 'socket hang up') return 'EOF'
  if (code === 'ECONNRESET') return 'read: connection reset by peer'
  if (code === 'EPIPE') return 'write: broken pipe'
  if (isNoTls(message)) return 'http: server gave HTTP response to HTTPS client'
  return message
}

/** A TLS handshake with a server that does not speak TLS. */
function isNoTls(message: string): boolean {
  return /wrong version number|packet length too long/i.test(message)
}

/** `10.0.0.7:80`, `[fd00::7]:80` */
export function endpoint(host: string, port: number): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`
}
