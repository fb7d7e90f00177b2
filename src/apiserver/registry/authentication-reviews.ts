import type { SelfSubjectReview } from '../../api/authentication/v1/self-subject-review.js'
import type { TokenReview, TokenReviewStatus } from '../../api/authentication/v1/token-review.js'
import type { UserInfo } from '../../api/authentication/v1/user-info.js'
import { badRequest } from '../../api/errors.js'
import type { KubeObject } from '../../api/kube-object.js'
import { canonicalObject } from '../../schema/encode.js'
import type { TokenAuthenticator, TokenUser } from '../authentication/authenticator.js'
import { withAuthenticatedGroup } from '../authentication/stage.js'
import { authenticateToken } from '../authentication/token-authentication.js'
import type { VerbHandlers } from '../request/routing.js'
import type { RequestUser } from '../request/user.js'
import { EncodedOnce, type ObjectResponse } from '../response/response.js'
import type { VerbScope } from '../verbs/verb-scope.js'
import { readSubmittedObject, submissionRequest } from './subresource.js'

export interface TokenReviewOptions {
  readonly tokens: readonly TokenAuthenticator[]
  /** The audiences of this server. */
  readonly audiences: readonly string[]
}

/** `tokenreviews`: reports the user of a token. Nothing is stored. */
export function tokenReviewHandlers(options: TokenReviewOptions): VerbHandlers {
  return {
    async create(scope) {
      const review = (await submitted(scope)) as TokenReview
      const { token = '', audiences = [] } = review.spec
      if (token === '') throw badRequest('token is required for TokenReview in authentication')
      const wanted = audiences.length > 0 ? audiences : options.audiences
      return response(scope, { ...review, status: await statusOf(token, wanted, options) })
    },
  }
}

async function statusOf(
  token: string,
  wanted: readonly string[],
  { tokens, audiences: own }: TokenReviewOptions,
): Promise<TokenReviewStatus> {
  const { user, errors } = await authenticateToken(tokens, token, wanted)
  const matching = user && audiencesOf(user, wanted, own)
  if (user && matching && matching.length > 0)
    return { authenticated: true, user: userInfo(withAuthenticatedGroup(user)), audiences: matching }
  const reasons = [...new Set(['invalid bearer token', ...errors])]
  return { user: {}, error: reasons.length === 1 ? reasons[0]! : `[${reasons.join(', ')}]` }
}

/** Returns the audiences of a token. A token without audiences is valid for those of `wanted` that this server has. */
function audiencesOf(user: TokenUser, wanted: readonly string[], own: readonly string[]): readonly string[] {
  return user.audiences ?? wanted.filter((audience) => own.includes(audience))
}

/** `selfsubjectreviews`: reports the user of the request. */
export const selfSubjectReviewHandlers: VerbHandlers = {
  async create(scope) {
    const review = (await submitted(scope)) as SelfSubjectReview
    const status = { userInfo: userInfo(scope.context.user) }
    return response(scope, { ...review, metadata: { creationTimestamp: scope.timestamps.now() }, status })
  },
}

async function submitted(scope: VerbScope): Promise<KubeObject> {
  const submission = await readSubmittedObject(scope, scope.resource.type.name)
  await scope.admission.admit(submissionRequest(scope, submission))
  return submission.object as KubeObject
}

function userInfo({ name, uid, groups, extra }: RequestUser): UserInfo {
  return { username: name, uid, groups, extra }
}

function response({ resource, representation }: VerbScope, review: object): ObjectResponse {
  const { type } = resource
  const object = new EncodedOnce(canonicalObject(type, review) as KubeObject)
  return { is: 'object', code: 201, type, object, representation }
}
