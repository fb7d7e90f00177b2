import { SubjectAccessReview } from '../../api/authorization/v1/subject-access-review.js'
import type { Environment } from '../../base/environment.js'
import type { Client } from '../../client/client.js'
import type { KubeletUser } from './authentication.js'
import { ReviewCache } from './review-cache.js'

export interface KubeletAuthorizationOptions {
  readonly environment: Environment
  readonly client: Client
  readonly nodeName: string
  /** `AlwaysAllow` sends no reviews. */
  readonly mode: 'Webhook' | 'AlwaysAllow'
  /** Milliseconds for which access reviews are cached. */
  readonly allowedTtl: number
  readonly deniedTtl: number
}

/** A verb and subresources of the Node. Access to any one of them is enough. */
export interface NodeAttributes {
  readonly verb: string
  readonly subresources: readonly string[]
}

const verbs: Readonly<Record<string, string>> = {
  POST: 'create',
  GET: 'get',
  PUT: 'update',
  PATCH: 'patch',
  DELETE: 'delete',
}

/** Paths with a subresource of their own, which `proxy` covers too. */
const fine: readonly (readonly [path: string, subresource: string])[] = [
  ['/pods', 'pods'],
  ['/healthz', 'healthz'],
  ['/configz', 'configz'],
  ['/statusz', 'statusz'],
  ['/flagz', 'flagz'],
  ['/runningpods', 'pods'],
]
/** Paths with a subresource of their own, which `proxy` does not cover. */
const own: readonly (readonly [path: string, subresource: string])[] = [
  ['/stats', 'stats'],
  ['/metrics', 'metrics'],
  ['/logs', 'log'],
  ['/checkpoint', 'checkpoint'],
]

/** Maps a request to a verb and subresources of the Node. */
export function nodeAttributes(method: string, path: string): NodeAttributes {
  const isBelow = ([prefix]: readonly [string, string]) => path === prefix || path.startsWith(`${prefix}/`)
  const verb = verbs[method] ?? ''
  const alone = own.find(isBelow)
  if (alone) return { verb, subresources: [alone[1]] }
  const [, subresource] = fine.find(isBelow) ?? []
  return { verb, subresources: subresource === undefined ? ['proxy'] : [subresource, 'proxy'] }
}

/** Authorizes requests by access reviews of the API server. */
export class KubeletAuthorization {
  readonly #dependencies: KubeletAuthorizationOptions
  readonly #reviews: ReviewCache<boolean>

  constructor(dependencies: KubeletAuthorizationOptions) {
    this.#dependencies = dependencies
    const lifeOf = (allowed: boolean) => (allowed ? dependencies.allowedTtl : dependencies.deniedTtl)
    this.#reviews = new ReviewCache(dependencies.environment.clock, lifeOf)
  }

  /** Rejects if the API server cannot be reached. */
  async allows(user: KubeletUser, { verb, subresources }: NodeAttributes): Promise<boolean> {
    if (this.#dependencies.mode === 'AlwaysAllow') return true
    for (const subresource of subresources) if (await this.#review(user, verb, subresource)) return true
    return false
  }

  #review(user: KubeletUser, verb: string, subresource: string): Promise<boolean> {
    return this.#reviews.get(JSON.stringify([user, verb, subresource]), async () => {
      const { nodeName, client } = this.#dependencies
      const resourceAttributes = { verb, version: 'v1', resource: 'nodes', subresource, name: nodeName }
      const { name, uid, groups, extra } = user
      const spec = { resourceAttributes, user: name, uid, groups, extra }
      const { status } = await client.resource(SubjectAccessReview).create({ metadata: {}, spec: spec as never })
      return status?.allowed === true
    })
  }
}
