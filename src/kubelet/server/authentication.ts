import { createHash, type X509Certificate } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { TLSSocket } from 'node:tls'
import { TokenReview } from '../../api/authentication/v1/token-review.js'
import type { Environment } from '../../base/environment.js'
import type { Client } from '../../client/client.js'
import { ReviewCache } from './review-cache.js'

/** The authenticated user of a request. */
export interface KubeletUser {
  readonly name: string
  readonly uid: string
  readonly groups: readonly string[]
  readonly extra: Readonly<Record<string, readonly string[]>>
}

export interface KubeletAuthenticationOptions {
  readonly environment: Environment
  readonly client: Client
  /** Whether anonymous requests are allowed. */
  readonly anonymous: boolean
  /** Whether bearer tokens are reviewed by the API server. */
  readonly tokens: boolean
  /** Milliseconds for which token reviews are cached. */
  readonly cacheTtl: number
}

const authenticated = 'system:authenticated'
const anonymousUser: KubeletUser = {
  name: 'system:anonymous',
  uid: '',
  groups: ['system:unauthenticated'],
  extra: {},
}

/** Authenticates requests by client certificate, or by a token review of the API server. */
export class KubeletAuthentication {
  readonly #dependencies: KubeletAuthenticationOptions
  readonly #tokens: ReviewCache<KubeletUser | undefined>

  constructor(dependencies: KubeletAuthenticationOptions) {
    this.#dependencies = dependencies
    this.#tokens = new ReviewCache(dependencies.environment.clock, () => dependencies.cacheTtl)
  }

  /** Resolves with undefined if the request is not authenticated. Rejects if the API server cannot be reached. */
  async userOf(request: IncomingMessage): Promise<KubeletUser | undefined> {
    const known = this.#byCertificate(request.socket as TLSSocket)
    if (known) return known
    const [, token] = /^bearer +(\S+)\s*$/i.exec(request.headers.authorization ?? '') ?? []
    if (token !== undefined && this.#dependencies.tokens) return this.#byToken(token)
    return token === undefined && this.#dependencies.anonymous ? anonymousUser : undefined
  }

  /** The TLS handshake has verified the issuer. The certificate may have expired since. */
  #byCertificate(socket: TLSSocket): KubeletUser | undefined {
    const certificate = socket.authorized ? socket.getPeerX509Certificate() : undefined
    if (!certificate) return undefined
    const now = this.#dependencies.environment.clock.now()
    if (now < Date.parse(certificate.validFrom) || now > Date.parse(certificate.validTo)) return undefined
    return userIn(certificate)
  }

  #byToken(token: string): Promise<KubeletUser | undefined> {
    const key = createHash('sha256').update(token).digest('base64')
    return this.#tokens.get(key, async () => {
      const reviews = this.#dependencies.client.resource(TokenReview)
      const { status } = await reviews.create({ metadata: {}, spec: { token } })
      if (!status?.authenticated || !status.user) return undefined
      const { username = '', uid = '', groups = [], extra = {} } = status.user
      return { name: username, uid, groups, extra: extra as KubeletUser['extra'] }
    })
  }
}

/** Reads the structured subject. The text form could be forged by special characters. */
function userIn(certificate: X509Certificate): KubeletUser | undefined {
  const subject = certificate.toLegacyObject().subject as unknown as Record<string, string | string[] | undefined>
  const name = [subject.CN ?? []].flat().at(-1)
  if (!name) return undefined
  return { name, uid: '', groups: [...[subject.O ?? []].flat(), authenticated], extra: {} }
}
