import type { Clock } from '../../base/clock.js'
import { anonymous } from '../request/user.js'
import type { Authenticator, TokenAuthenticator } from './authenticator.js'
import { bearerTokenAuthenticator } from './bearer-token.js'
import { type AcceptsCertificate, clientCertificateAuthenticator } from './client-certificate.js'

export interface AuthenticatorChainOptions {
  readonly clock: Clock
  readonly anonymous: boolean
  /** The accepted kinds of tokens, in the order in which they are tried. */
  readonly tokens: readonly TokenAuthenticator[]
  /** Whether the certificate of a connection is one of clients; all are, if this is left out. */
  readonly accepts?: AcceptsCertificate
  readonly frontProxy?: Authenticator
  readonly basic?: Authenticator
}

/** Returns the authenticators, in the order in which they run. */
export function authenticatorChain(options: AuthenticatorChainOptions): readonly Authenticator[] {
  const { clock, tokens, accepts, frontProxy, basic } = options
  return [
    inProcessAuthenticator,
    ...(frontProxy ? [frontProxy] : []),
    clientCertificateAuthenticator(clock, accepts),
    bearerTokenAuthenticator(tokens),
    ...(basic ? [basic] : []),
    ...(options.anonymous ? [anonymousAuthenticator] : []),
  ]
}

/** Components in this process are identified by the transport. Requests from outside cannot imitate that. */
const inProcessAuthenticator: Authenticator = {
  name: 'in-process',
  authenticate: (request) => request.peer.user,
}

const anonymousAuthenticator: Authenticator = {
  name: 'anonymous',
  isLastResort: true,
  authenticate: () => anonymous,
}
