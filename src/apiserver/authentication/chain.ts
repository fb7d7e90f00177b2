import type { Clock } from '../../base/clock.js'
import { anonymousAuthenticator } from './anonymous.js'
import type { Authenticator, TokenAuthenticator } from './authenticator.js'
import { bearerTokenAuthenticator } from './bearer-token.js'
import { clientCertificateAuthenticator } from './client-certificate.js'
import { inProcessAuthenticator } from './in-process.js'

export interface AuthenticationParts {
  readonly clock: Clock
  readonly anonymous: boolean
  /** Kinds of tokens that are accepted, in the order in which they are asked. */
  readonly tokens: readonly TokenAuthenticator[]
}

/** Everybody who can tell who makes a request, in the order in which they are asked. */
export function authenticatorChain({ clock, anonymous, tokens }: AuthenticationParts): readonly Authenticator[] {
  return [
    inProcessAuthenticator,
    clientCertificateAuthenticator(clock),
    bearerTokenAuthenticator(tokens),
    ...(anonymous ? [anonymousAuthenticator] : []),
  ]
}
