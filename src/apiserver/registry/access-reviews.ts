import type { LocalSubjectAccessReview } from '../../api/authorization/v1/local-subject-access-review.js'
import type { ReviewedAttributes } from '../../api/authorization/v1/review-validation.js'
import type { SelfSubjectRulesReview } from '../../api/authorization/v1/self-subject-rules-review.js'
import type { SubjectAccessReviewSpec } from '../../api/authorization/v1/subject-access-review.js'
import { badRequest, invalid } from '../../api/errors.js'
import type { KubeObject } from '../../api/kube-object.js'
import type { PolicyRule } from '../../api/rbac/v1/role.js'
import { canonicalObject } from '../../schema/encode.js'
import type { Draft } from '../../schema/infer.js'
import { admissionRequest } from '../admission/request.js'
import type { Authorizer, UserRules } from '../authorization/authorizer.js'
import { reviewedRequest } from '../authorization/reviewed-attributes.js'
import { runAuthorizers } from '../authorization/stage.js'
import type { VerbHandler, VerbHandlers } from '../request/routing.js'
import type { RequestUser } from '../request/user.js'
import { EncodedOnce, type ObjectResponse } from '../response/response.js'
import { readDraft, setNamespace } from '../verbs/create.js'
import { strategyContext, type VerbScope } from '../verbs/verb-scope.js'
import { writeOptions } from '../verbs/write-options.js'

/** Handlers of access reviews: a client creates one to learn what is allowed. The response has the decision; nothing is stored. */
export function accessReviewHandlers(authorizers: readonly Authorizer[]): Readonly<Record<string, VerbHandlers>> {
  const subjectReview = review(authorizers, (spec) => subjectOf(spec as SubjectAccessReviewSpec))
  return {
    selfsubjectaccessreviews: { create: review(authorizers, (_, user) => user) },
    subjectaccessreviews: { create: subjectReview },
    localsubjectaccessreviews: { create: subjectReview },
    selfsubjectrulesreviews: { create: rulesReview(authorizers) },
  }
}

/** Reads the review in the body, and admits it. */
async function readReview(scope: VerbScope): Promise<Draft<KubeObject>> {
  const options = writeOptions(scope.context.request, 'CreateOptions')
  const draft = await readDraft(scope, options)
  setNamespace(scope, draft)
  const { dryRun } = options
  await scope.admission.admit(admissionRequest(scope, { operation: 'CREATE', object: draft, options, dryRun }))
  return draft
}

function review(
  authorizers: readonly Authorizer[],
  about: (spec: LocalSubjectAccessReview['spec'], user: RequestUser) => RequestUser,
): VerbHandler {
  return async (scope) => {
    const draft = await readReview(scope)
    const errors = [...(scope.resource.type.strategy.validate?.(draft as never, strategyContext(scope)) ?? [])]
    if (errors.length > 0) throw invalid({ group: 'authorization.k8s.io', kind: '' }, '', errors)
    const { spec } = draft as LocalSubjectAccessReview
    const user = about(spec, scope.context.user)
    return response(scope, { ...draft, status: await statusOf(authorizers, user, spec) })
  }
}

function subjectOf({ user = '', groups, uid = '', extra }: SubjectAccessReviewSpec): RequestUser {
  return { name: user, uid, groups: groups ?? [], extra: extra ?? {} }
}

async function statusOf(
  authorizers: readonly Authorizer[],
  user: RequestUser,
  spec: ReviewedAttributes,
): Promise<object> {
  const { attributes, faults } = reviewedRequest(user, spec)
  const { decision, reason, error } = await runAuthorizers(authorizers, attributes)
  const evaluationError = [...(error === undefined ? [] : [error]), ...faults].join('; ')
  return {
    allowed: decision === 'allow',
    ...(decision === 'deny' && { denied: true }),
    ...(reason !== '' && { reason }),
    ...(evaluationError !== '' && { evaluationError }),
  }
}

/** Lists the rules of a user. The list is informative: only the authorizers decide. */
function rulesReview(authorizers: readonly Authorizer[]): VerbHandler {
  return async (scope) => {
    const draft = await readReview(scope)
    const { namespace = '' } = (draft as SelfSubjectRulesReview).spec
    if (namespace === '') throw badRequest('no namespace on request')
    const found = authorizers.flatMap((authorizer) => authorizer.rulesFor?.(scope.context.user, namespace) ?? [])
    const { apiVersion, kind } = draft
    return response(scope, { apiVersion, kind, metadata: {}, spec: {}, status: rulesStatus(found) })
  }
}

function rulesStatus(found: readonly UserRules[]): object {
  const rules = found.flatMap((one) => one.rules)
  const faults = [...new Set(found.flatMap(({ error }) => error ?? []))]
  return {
    resourceRules: rules.filter(({ resources }) => resources?.length).map(resourceRule),
    nonResourceRules: rules.filter(({ nonResourceURLs }) => nonResourceURLs?.length).map(pathRule),
    incomplete: found.some(({ isIncomplete }) => isIncomplete),
    ...(faults.length > 0 && { evaluationError: faults.length === 1 ? faults[0] : `[${faults.join(', ')}]` }),
  }
}

function resourceRule({ verbs, apiGroups, resources, resourceNames }: PolicyRule): object {
  return { verbs, apiGroups, resources, ...(resourceNames?.length && { resourceNames }) }
}

function pathRule({ verbs, nonResourceURLs }: PolicyRule): object {
  return { verbs, nonResourceURLs }
}

function response({ resource: { type }, representation }: VerbScope, given: object): ObjectResponse {
  const object = canonicalObject(type, given) as KubeObject
  return { is: 'object', code: 201, type, object: new EncodedOnce(object), representation }
}
