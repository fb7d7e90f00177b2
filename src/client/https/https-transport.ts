import { type Clock, systemClock } from '../../base/clock.js'
import { bearer, type Credential, type CredentialSource, fixedCredential } from '../credentials/credential.js'
import type { Impersonation } from '../credentials/impersonation.js'
import type { Transport } from '../transport.js'
import { Connections, type ConnectionsOptions } from './https-connections.js'
import { type ExchangeParts, exchange } from './https-request.js'
import { withTimeout } from './request-timeout.js'

export interface HttpsOptions extends ConnectionsOptions {
  /** A bearer token that never changes. */
  readonly token?: string
  /** A client certificate that never changes, and its key, in PEM form. */
  readonly credential?: { readonly cert: string; readonly key: string }
  /** In place of these: credentials that may change. */
  readonly credentials?: CredentialSource
  readonly impersonate?: Impersonation | undefined
  /** Whether long answers may come compressed, which they do unless told otherwise. */
  readonly compress?: boolean
  /** Milliseconds after which a request is given up; a watch ends then. Unlimited unless given. */
  readonly timeout?: number | undefined
  /** Milliseconds of silence after which an answer that is no watch is given up: the other side is gone. */
  readonly idleTimeout?: number
  readonly userAgent?: string
  readonly clock?: Clock
}

/** Longer than a server takes for any answer. */
const usualIdleTimeout = 90_000

/** Speaks to a server over the network, `https:` or plain `http:`, on connections that are kept. */
export function httpsTransport(options: HttpsOptions): Transport {
  const { clock = systemClock, timeout, userAgent = 'proa', compress = true, impersonate } = options
  const { idleTimeout = usualIdleTimeout } = options
  const connections = new Connections(options)
  const credentials = options.credentials ?? fixedCredential(credentialOf(options))
  const send = sender(credentials, { connections, clock, idleTimeout, userAgent, compress, impersonate })
  return {
    send: (request) => (timeout ? withTimeout(request, { timeout, clock }, send) : send(request)),
    close: () => connections.close(),
  }
}

/** A request that was refused because nobody knows who asks is sent once more, where credentials are renewed by that. */
function sender(credentials: CredentialSource, parts: ExchangeParts): Transport['send'] {
  return async (request) => {
    const { signal } = request
    signal?.throwIfAborted()
    const credential = await credentials.current(signal)
    const received = await exchange(request, credential, parts)
    if (received.code !== 401) return received.read()
    await credentials.refused(credential, signal)
    const renewed = await credentials.current(signal)
    if (renewed === credential) return received.read()
    received.skip()
    return (await exchange(request, renewed, parts)).read()
  }
}

function credentialOf({ token, credential }: HttpsOptions): Credential {
  return {
    ...(token !== undefined && { authorization: bearer(token) }),
    ...(credential && { certificate: credential }),
  }
}
