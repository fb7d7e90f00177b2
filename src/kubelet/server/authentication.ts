import { createHash, type X509Certificate } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { TLSSocket } from 'node:tls'
import { TokenReview } from '../../api/authentication/v1/token-review.js'
import type { Environment } from '../../base/environment.js'
import type { Client } from '../../client/client.js'
import { ReviewCache } from './review-cache.js'

/** Who asks. */
export interface KubeletUser {
  readonly name: string
  readonly uid: string
  readonly groups: readonly string[]
  readonly extra: Readonly<Record<string, readonly string[]>>
}

export interface KubeletAuthenticationOptions {
  readonly environment: Environment
  readonly client: Client
  /** Whether those are let in who do not say who they are. */
  readonly anonymous: boolean
  /** Whether the API server is asked whose a token is. */
  readonly tokens: boolean
  /** How long its answers count, in milliseconds. */
  readonly cacheTtl: number
}

const authenticated = 'system:authenticated'
const anonymousUser: KubeletUser = {
  name: 'system:anonymous',
  uid: '',
  groups: ['system:unauthenticated'],
  extra: {},
}

/** Finds out who asks: by the certificate that the connection showed, or by a token that the API server knows. */
export class KubeletAuthentication {
  readonly #dependencies: KubeletAuthenticationOptions
  readonly #tokens: ReviewCache<KubeletUser | undefined>

  constructor(dependencies: KubeletAuthenticationOptions) {
    this.#dependencies = dependencies
    this.#tokens = new ReviewCache(dependencies.environment.clock, () => dependencies.cacheTtl)
  }

  /** Undefined where nobody is to be let in. Rejects where the API server could not be asked. */
  async userOf(request: IncomingMessage): Promise<KubeletUser | undefined> {
    const known = this.#byCertificate(request.socket as TLSSocket)
    if (known) return known
    const [, token] = /^bearer +(\S+)\s*$/i.exec(request.headers.authorization ?? '') ?? []
    if (token !== undefined && this.#dependencies.tokens) return this.#byToken(token)
    return token === undefined && this.#dependencies.anonymous ? anonymousUser : undefined
  }

  /** That its authority is the right one was checked when the connection was made; a connection may outlive a certificate. */
  #byCertificate(socket: TLSSocket): KubeletUser | undefined {
    const certificate = socket.authorized ? socket.getPeerX509Certificate() : undefined
    if (!certificate) return undefined
    const now = this.#dependencies.environment.clock.now()
    if (now < Date.parse(certificate.validFrom) || now > Date.parse(certificate.validTo)) return undefined
    return userIn(certificate)
  }

  #byToken(token: string): Promise<KubeletUser | undefined> {
    const question = createHash('sha256').update(token).digest('base64')
    return this.#tokens.get(question, async () => {
      const reviews = this.#dependencies.client.resource(TokenReview)
      const { status } = await reviews.create({ metadata: {}, spec: { token } })
      if (!status?.authenticated || !status.user) return undefined
      const { username = '', uid = '', groups = [], extra = {} } = status.user
      return { name: username, uid, groups, extra: extra as KubeletUser['extra'] }
    })
  }
}

/** Never from the text form of the subject, in which a name could pass for several. */
function userIn(certificate: X509Certificate): KubeletUser | undefined {
  const subject = certificate.toLegacyObject().subject as unknown as Record<string, string | string[] | undefined>
  const name = [subject.CN ?? []].flat().at(-1)
  if (!name) return undefined
  return { name, uid: '', groups: [...[subject.O ?? []].flat(), authenticated], extra: {} }
}
