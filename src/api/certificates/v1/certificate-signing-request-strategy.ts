import type { Draft } from '../../../schema/infer.js'
import { noMessages } from '../../../schema/names.js'
import { declareTable } from '../../../schema/schema.js'
import { declareStrategy } from '../../../schema/strategy.js'
import { humanDuration } from '../../../schema/values/duration.js'
import {
  CertificateSigningRequest,
  type CertificateSigningRequestCondition,
  type CertificateSigningRequestStatus,
} from './certificate-signing-request.js'
import { validateRequest, validateRequestUpdate } from './certificate-signing-request-validation.js'

type Condition = CertificateSigningRequestCondition
type Request = Draft<CertificateSigningRequest>

export const certificateSigningRequestTable = declareTable<CertificateSigningRequest>(CertificateSigningRequest, {
  SignerName: ({ spec }) => spec.signerName || '<none>',
  Requestor: ({ spec }) => spec.username ?? '',
  RequestedDuration: ({ spec: { expirationSeconds } }) =>
    expirationSeconds === undefined ? '<none>' : humanDuration(expirationSeconds * 1000),
  Condition: ({ status }) => stateOf(status),
})

function stateOf({ conditions, certificate }: CertificateSigningRequestStatus): string {
  const types = (conditions ?? []).map(({ type }) => type)
  const decision = types.includes('Denied') ? 'Denied' : types.includes('Approved') ? 'Approved' : 'Pending'
  return `${decision}${types.includes('Failed') ? ',Failed' : ''}${certificate ? ',Issued' : ''}`
}

export const certificateSigningRequestStrategy = declareStrategy<CertificateSigningRequest>(CertificateSigningRequest, {
  name: () => noMessages,
  prepareCreate(draft, { user }) {
    const { username: _name, uid: _uid, groups: _groups, extra: _extra, ...asked } = draft.spec
    draft.spec = { ...asked, ...requesterOf(user) }
    draft.status = {}
  },
  /** Only the subresources `approval` and `status` can change a request. */
  prepareUpdate(draft, old) {
    draft.spec = old.spec as Request['spec']
    draft.status = old.status as Request['status']
  },
  validate: (request) => validateRequest(request, undefined),
  validateUpdate: (request, old) => validateRequestUpdate(request, old, {}),
  subresources: {
    approval: {
      prepareUpdate(draft, old, { time }) {
        const conditions = stamped(draft.status.conditions, old.status.conditions, time)
        draft.spec = old.spec as Request['spec']
        draft.status = { ...(old.status as Request['status']), ...(conditions && { conditions }) }
        if (!conditions) delete draft.status.conditions
      },
      validateUpdate: (request, old) => validateRequestUpdate(request, old, { approve: true }),
      owned: [['status', 'conditions']],
    },
    status: {
      prepareUpdate(draft, old, { time }) {
        const kept = withOldDecisions(draft.status.conditions, old.status.conditions ?? [])
        const conditions = stamped(kept, old.status.conditions, time)
        draft.spec = old.spec as Request['spec']
        if (conditions) draft.status = { ...draft.status, conditions }
      },
      validateUpdate: (request, old) => validateRequestUpdate(request, old, { issue: true }),
      owned: [['status']],
    },
  },
  fields: { 'spec.signerName': ({ spec }) => spec.signerName },
})

/** The requester is always the user of the request. */
function requesterOf({ name, uid, groups, extra }: RequestingUser): Partial<Request['spec']> {
  return {
    ...(name !== '' && { username: name }),
    ...(uid !== '' && { uid }),
    ...(groups.length > 0 && { groups: [...groups] }),
    ...(Object.keys(extra).length > 0 && { extra: structuredClone(extra) as Record<string, string[]> }),
  }
}

interface RequestingUser {
  readonly name: string
  readonly uid: string
  readonly groups: readonly string[]
  readonly extra: Readonly<Record<string, readonly string[]>>
}

/** Restores decisions in a write of the status. Added or removed ones are left for validation to reject. */
function withOldDecisions(
  conditions: readonly Condition[] | undefined,
  before: readonly Condition[],
): readonly Condition[] | undefined {
  let result = conditions
  for (const type of ['Approved', 'Denied']) {
    const old = before.filter((condition) => condition.type === type)
    if (result?.filter((condition) => condition.type === type).length !== old.length) continue
    const remaining = old.values()
    result = result.map((condition) => (condition.type === type ? remaining.next().value! : condition))
  }
  return result
}

/** Sets absent times of conditions: to the old time, or to now. */
function stamped(
  conditions: readonly Condition[] | undefined,
  before: readonly Condition[] | undefined,
  time: string,
): Draft<Condition>[] | undefined {
  return conditions?.map((condition) => {
    const same = before?.find(({ type, status }) => type === condition.type && status === condition.status)
    return {
      ...condition,
      lastUpdateTime: condition.lastUpdateTime || time,
      lastTransitionTime: condition.lastTransitionTime || same?.lastTransitionTime || time,
    }
  })
}
