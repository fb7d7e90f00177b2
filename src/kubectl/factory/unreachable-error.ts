import { ConnectionLostError } from '../../client/transport.js'

/** The server cannot be reached. The message is shown to the user. */
export class UnreachableError extends Error {
  override readonly name = 'UnreachableError'
}

/** Describes an error in the words of kubectl. `server` is the URL of the server. */
export function unreachable(error: unknown, server: string): UnreachableError {
  const cause = error instanceof ConnectionLostError ? error.cause : error
  const { code = '', message, syscall = '', hostname = '' } = cause as NodeJS.ErrnoException & { hostname?: string }
  const { host } = new URL(server)
  if (code === 'ECONNREFUSED' || message.includes('ECONNREFUSED'))
    return new UnreachableError(
      `The connection to the server ${host} was refused - did you specify the right host or port?`,
    )
  const why = syscall === 'getaddrinfo' ? `dial tcp: lookup ${hostname}: no such host` : (wordings[code] ?? message)
  return new UnreachableError(`Unable to connect to the server: ${why}`)
}

const untrusted = 'tls: failed to verify certificate: x509: certificate signed by unknown authority'

const wordings: Readonly<Record<string, string>> = {
  SELF_SIGNED_CERT_IN_CHAIN: untrusted,
  DEPTH_ZERO_SELF_SIGNED_CERT: untrusted,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrusted,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: untrusted,
  CERT_SIGNATURE_FAILURE: untrusted,
  CERT_HAS_EXPIRED: 'tls: failed to verify certificate: x509: certificate has expired or is not yet valid',
  ECONNRESET: 'EOF',
  EHOSTUNREACH: 'dial tcp: connect: no route to host',
  ENETUNREACH: 'dial tcp: connect: network is unreachable',
  ETIMEDOUT: 'dial tcp: i/o timeout',
  ERR_SSL_WRONG_VERSION_NUMBER: 'http: server gave HTTP response to HTTPS client',
}
