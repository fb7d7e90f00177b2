import type { TokenRequest } from '../../../api/authentication/v1/token-request.js'
import type { ServiceAccount } from '../../../api/core/v1/service-account.js'
import { invalid } from '../../../api/errors.js'
import type { KubeObject } from '../../../api/kube-object.js'
import { canonicalObject } from '../../../schema/encode.js'
import * as field from '../../../schema/field-errors.js'
import { fieldPath } from '../../../schema/field-path.js'
import { formatTime } from '../../../schema/values/time.js'
import type { KubernetesClaims, TokenClaims } from '../../authentication/service-accounts/claims.js'
import type { SignClaims } from '../../authentication/service-accounts/keys.js'
import { serviceAccountUser } from '../../authorization/well-known-users.js'
import type { VerbHandlers } from '../../request/routing.js'
import { EncodedOnce, type ObjectResponse } from '../../response/response.js'
import { find } from '../../verbs/get.js'
import type { VerbScope } from '../../verbs/verb-scope.js'
import type { ResourceMap } from '../resource-map.js'
import { readSubmittedObject, submissionRequest } from '../subresource.js'
import { type BoundObjects, boundObjects } from './bound-objects.js'

export interface TokenIssuerOptions {
  readonly resources: () => ResourceMap
  /** The issuer of the tokens. */
  readonly issuer: string
  /** The default audiences: this server. */
  readonly audiences: readonly string[]
  readonly sign: SignClaims
  /** Upper bound of a token's lifetime in seconds. */
  readonly maxSeconds?: number
  /** Whether tokens that are mounted into pods expire as requested, and are not extended to a year. */
  readonly isStrict?: boolean
}

const oneHour = 3600
const oneYear = 365 * 24 * oneHour

/** The lifetime that kubelets request for mounted tokens. Such a token is valid for a year; after this time its use causes a warning. */
const mountedSeconds = 3607

/** `serviceaccounts/token`: issues a token for the account. Nothing is stored. */
export function tokenHandlers(issuer: TokenIssuerOptions): VerbHandlers {
  return { create: (scope) => issue(scope, issuer) }
}

async function issue(scope: VerbScope, issuer: TokenIssuerOptions): Promise<ObjectResponse> {
  const submission = await readSubmittedObject(scope, 'authentication/v1.TokenRequest')
  const admission = submissionRequest(scope, submission)
  await scope.admission.mutate(admission)
  const given = submission.object as TokenRequest
  checkNames(scope, given)
  const account = (await find(scope)).object as ServiceAccount
  const complete = withDefaults(scope, given, account, issuer)
  checkDuration(complete)
  const request = withMaximumLifetime(scope, complete, issuer)
  await scope.admission.validate(admission)
  const bound = await boundObjects(scope, request.spec.boundObjectRef, issuer.resources())
  const now = Math.floor(scope.environment.clock.now() / 1000)
  const token = issuer.sign(claimsOf(scope, { request, account, bound, now, issuer }))
  return tokenResponse(scope, request, { token, expirationTimestamp: formatTime((now + secondsOf(request)) * 1000) })
}

function checkNames({ name, namespace }: VerbScope, { metadata }: TokenRequest): void {
  const path = fieldPath('metadata')
  const errors: field.FieldError[] = []
  if (metadata.name && metadata.name !== name)
    errors.push(field.invalid(path.child('name'), metadata.name, 'must match the service account name if specified'))
  if (metadata.namespace && metadata.namespace !== namespace)
    errors.push(
      field.invalid(
        path.child('namespace'),
        metadata.namespace,
        'must match the service account namespace if specified',
      ),
    )
  if (errors.length > 0) throw invalid(tokenKind, name, errors)
}

const tokenKind = { group: 'authentication.k8s.io', kind: 'TokenRequest' }

function withDefaults(
  scope: VerbScope,
  given: TokenRequest,
  account: ServiceAccount,
  { audiences }: TokenIssuerOptions,
): TokenRequest {
  const { name, namespace, uid } = account.metadata
  const { spec } = given
  return {
    ...given,
    metadata: {
      ...given.metadata,
      name,
      namespace,
      uid,
      creationTimestamp: scope.timestamps.now(),
    } as TokenRequest['metadata'],
    spec: {
      ...spec,
      audiences: spec.audiences?.length ? spec.audiences : audiences,
      expirationSeconds: spec.expirationSeconds ?? oneHour,
    },
  }
}

function secondsOf({ spec }: TokenRequest): number {
  return spec.expirationSeconds ?? oneHour
}

function checkDuration(request: TokenRequest): void {
  const seconds = secondsOf(request)
  const path = fieldPath('spec', 'expirationSeconds')
  const why =
    seconds < 600
      ? 'may not specify a duration less than 10 minutes'
      : seconds > 2 ** 32
        ? 'may not specify a duration larger than 2^32 seconds'
        : ''
  if (why !== '') throw invalid(tokenKind, '', [field.invalid(path, seconds, why)])
}

function withMaximumLifetime(
  { context }: VerbScope,
  request: TokenRequest,
  { maxSeconds }: TokenIssuerOptions,
): TokenRequest {
  const seconds = secondsOf(request)
  if (maxSeconds === undefined || seconds <= maxSeconds) return request
  context.warnings.add(`requested expiration of ${seconds} seconds shortened to ${maxSeconds} seconds`)
  return { ...request, spec: { ...request.spec, expirationSeconds: maxSeconds } }
}

interface ClaimInputs {
  readonly request: TokenRequest
  readonly account: ServiceAccount
  readonly bound: BoundObjects
  readonly now: number
  readonly issuer: TokenIssuerOptions
}

function claimsOf(scope: VerbScope, { request, account, bound, now, issuer }: ClaimInputs): TokenClaims {
  const seconds = secondsOf(request)
  const audiences = request.spec.audiences ?? []
  const isForThisServer = audiences.every((audience) => issuer.audiences.includes(audience))
  const isMounted = !issuer.isStrict && bound.pod !== undefined && seconds === mountedSeconds && isForThisServer
  const { name = '', namespace = '', uid = '' } = account.metadata
  const own: KubernetesClaims = {
    namespace,
    ...(bound.node && { node: bound.node }),
    ...(bound.pod && { pod: bound.pod }),
    ...(bound.secret && { secret: bound.secret }),
    serviceaccount: { name, uid },
    ...(isMounted && { warnafter: now + seconds }),
  }
  return {
    aud: audiences,
    exp: now + (isMounted ? oneYear : seconds),
    iat: now,
    iss: issuer.issuer,
    jti: scope.environment.random.uuid(),
    'kubernetes.io': own,
    nbf: now,
    sub: serviceAccountUser(namespace, name),
  }
}

function tokenResponse({ scheme, representation }: VerbScope, request: TokenRequest, status: object): ObjectResponse {
  const type = scheme.type('authentication/v1.TokenRequest')
  const object = canonicalObject(type, { ...request, status }) as KubeObject
  return { is: 'object', code: 201, type, object: new EncodedOnce(object), representation }
}
