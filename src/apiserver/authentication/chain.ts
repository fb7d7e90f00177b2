import type { Clock } from '../../base/clock.js'
import { anonymousAuthenticator } from './anonymous.js'
import type { Authenticator, TokenAuthenticator } from './authenticator.js'
import { bearerTokenAuthenticator } from './bearer-token.js'
import { type AcceptsCertificate, clientCertificateAuthenticator } from './client-certificate.js'
import { inProcessAuthenticator } from './in-process.js'

export interface AuthenticatorChainOptions {
  readonly clock: Clock
  readonly anonymous: boolean
  /** Kinds of tokens that are accepted, in the order in which they are asked. */
  readonly tokens: readonly TokenAuthenticator[]
  /** Of a certificate: whether its authority is one of clients. Unless told, no others are known. */
  readonly counts?: AcceptsCertificate
  readonly frontProxy?: Authenticator
  readonly basic?: Authenticator
}

/** Everybody who can tell who makes a request, in the order in which they are asked. */
export function authenticatorChain(parts: AuthenticatorChainOptions): readonly Authenticator[] {
  const { clock, anonymous, tokens, counts, frontProxy, basic } = parts
  return [
    inProcessAuthenticator,
    ...(frontProxy ? [frontProxy] : []),
    clientCertificateAuthenticator(clock, counts),
    bearerTokenAuthenticator(tokens),
    ...(basic ? [basic] : []),
    ...(anonymous ? [anonymousAuthenticator] : []),
  ]
}
