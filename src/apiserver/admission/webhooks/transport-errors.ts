/**
 * Translates Node's transport errors to upstream's messages, which people search for. Goes by Node's error codes.
 */
const verification = 'tls: failed to verify certificate: x509: '

const causes: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connect: connection refused',
  EHOSTUNREACH: 'connect: no route to host',
  ENETUNREACH: 'connect: network is unreachable',
  ETIMEDOUT: 'connect: connection timed out',
}

const unknownAuthority: ReadonlySet<string> = new Set([
  'CERT_SIGNATURE_FAILURE',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
])

interface TransportError extends Error {
  readonly code?: string
  readonly syscall?: string
  readonly address?: string
  readonly port?: number
  readonly hostname?: string
  readonly host?: string
  readonly cert?: { readonly subjectaltname?: string; readonly valid_to?: string }
}

/** `url` is the address of the webhook as its configuration names it. */
export function transportText(error: unknown, url: string): string {
  const given = error as TransportError
  if (given.message === 'aborted')
    return 'unexpected error when reading response body. Please retry. Original error: unexpected EOF'
  return `Post "${url}": ${causeText(given)}`
}

function causeText(error: TransportError): string {
  const { code = '', syscall, message } = error
  if (syscall === 'connect' && causes[code]) return `dial tcp ${addressText(error)}: ${causes[code]}`
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return `dial tcp: lookup ${error.hostname}: no such host`
  if (unknownAuthority.has(code)) return `${verification}certificate signed by unknown authority`
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return `${verification}${wrongName(error)}`
  if (code === 'CERT_HAS_EXPIRED' || code === 'CERT_NOT_YET_VALID')
    return `${verification}certificate has expired or is not yet valid`
  if (code === 'ECONNRESET') return message === 'socket hang up' ? 'EOF' : 'read: connection reset by peer'
  if (code === 'EPROTO' && /wrong version number|packet length too long|http request/i.test(message))
    return 'http: server gave HTTP response to HTTPS client'
  if (code.startsWith('HPE_')) return 'net/http: HTTP/1.x transport connection broken: malformed HTTP response'
  return message
}

function addressText({ address = '', port }: TransportError): string {
  return `${address.includes(':') ? `[${address}]` : address}:${port}`
}

function wrongName({ host = '', cert }: TransportError): string {
  const names = (cert?.subjectaltname ?? '').split(', ').flatMap((name) => name.replace(/^(DNS|IP Address):/, '') || [])
  return names.length === 0
    ? `certificate is not valid for any names, but wanted to match ${host}`
    : `certificate is valid for ${names.join(', ')}, not ${host}`
}
