import { SubjectAccessReview } from '../../api/authorization/v1/subject-access-review.js'
import type { Environment } from '../../base/environment.js'
import type { Client } from '../../client/client.js'
import type { KubeletUser } from './authentication.js'
import { RecentAnswers } from './recent-answers.js'

export interface AuthorizationParts {
  readonly environment: Environment
  readonly client: Client
  readonly nodeName: string
  /** `AlwaysAllow` asks nobody. */
  readonly mode: 'Webhook' | 'AlwaysAllow'
  /** How long the API server's answers count, in milliseconds. */
  readonly allowedTtl: number
  readonly deniedTtl: number
}

/** What may be done, of which one allowed thing suffices. */
export interface Attributes {
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

/** Parts of the API that may be allowed by themselves, besides all of it. */
const fine: readonly (readonly [path: string, subresource: string])[] = [
  ['/pods', 'pods'],
  ['/healthz', 'healthz'],
  ['/configz', 'configz'],
  ['/statusz', 'statusz'],
  ['/flagz', 'flagz'],
  ['/runningpods', 'pods'],
]
/** Parts that are allowed by themselves alone. */
const own: readonly (readonly [path: string, subresource: string])[] = [
  ['/stats', 'stats'],
  ['/metrics', 'metrics'],
  ['/logs', 'log'],
  ['/checkpoint', 'checkpoint'],
]

/** The kubelet's API as the API server knows it: subresources of the Node. */
export function attributesOf(method: string, path: string): Attributes {
  const isAt = ([place]: readonly [string, string]) => path === place || path.startsWith(`${place}/`)
  const verb = verbs[method] ?? ''
  const alone = own.find(isAt)
  if (alone) return { verb, subresources: [alone[1]] }
  const [, subresource] = fine.find(isAt) ?? []
  return { verb, subresources: subresource === undefined ? ['proxy'] : [subresource, 'proxy'] }
}

/** Asks the API server whether somebody may do something here. */
export class Authorization {
  readonly #parts: AuthorizationParts
  readonly #answers: RecentAnswers<boolean>

  constructor(parts: AuthorizationParts) {
    this.#parts = parts
    const lifeOf = (allowed: boolean) => (allowed ? parts.allowedTtl : parts.deniedTtl)
    this.#answers = new RecentAnswers(parts.environment.clock, lifeOf)
  }

  /** Rejects where the API server could not be asked. */
  async allows(user: KubeletUser, { verb, subresources }: Attributes): Promise<boolean> {
    if (this.#parts.mode === 'AlwaysAllow') return true
    for (const subresource of subresources) if (await this.#ask(user, verb, subresource)) return true
    return false
  }

  #ask(user: KubeletUser, verb: string, subresource: string): Promise<boolean> {
    return this.#answers.of(JSON.stringify([user, verb, subresource]), async () => {
      const { nodeName, client } = this.#parts
      const resourceAttributes = { verb, version: 'v1', resource: 'nodes', subresource, name: nodeName }
      const { name, uid, groups, extra } = user
      const spec = { resourceAttributes, user: name, uid, groups, extra }
      const { status } = await client.resource(SubjectAccessReview).create({ metadata: {}, spec: spec as never })
      return status?.allowed === true
    })
  }
}
