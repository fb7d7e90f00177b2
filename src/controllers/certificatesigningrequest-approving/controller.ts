import { SubjectAccessReview } from '../../api/authorization/v1/subject-access-review.js'
import {
  CertificateSigningRequest,
  type CertificateSigningRequestSpec,
} from '../../api/certificates/v1/certificate-signing-request.js'
import type { Client } from '../../client/client.js'
import { certificateServiceAccount } from '../certificates/service-account.js'
import { defineController } from '../definition.js'
import type { ReconcileContext, ReconcileResult } from '../runtime/reconcile.js'
import {
  type ApprovalDecision,
  type ApprovalObservation,
  type ApprovalPermission,
  decide,
  permissionsFor,
} from './decide.js'

/** Approves the client certificates of nodes, if the requester has the right to them. */
export const definition = defineController({
  name: 'certificatesigningrequest-approving-controller',
  alias: 'csrapproving',
  ...certificateServiceAccount,
  create: (controller) => controller.for(CertificateSigningRequest).workers(5).reconcile({ observe, decide, act }),
})

async function observe(
  name: string,
  { client, informers, environment }: ReconcileContext,
): Promise<ApprovalObservation | undefined> {
  const request = informers.of(CertificateSigningRequest).get(name)
  const permissions = request ? permissionsFor(request) : []
  if (!request || permissions.length === 0) return undefined
  return { request, granted: await firstGranted(permissions, request.spec, client), now: environment.clock.now() }
}

async function firstGranted(
  permissions: readonly ApprovalPermission[],
  spec: CertificateSigningRequestSpec,
  client: Client,
): Promise<ApprovalPermission | undefined> {
  for (const permission of permissions) if (await isGranted(permission, spec, client)) return permission
  return undefined
}

async function isGranted(
  { subresource }: ApprovalPermission,
  { username, uid, groups, extra }: CertificateSigningRequestSpec,
  client: Client,
): Promise<boolean> {
  const group = 'certificates.k8s.io'
  const resourceAttributes = { group, resource: 'certificatesigningrequests', verb: 'create', subresource }
  const user = { ...(username && { user: username }), ...(uid && { uid }), ...(groups && { groups }) }
  const spec = { ...user, ...(extra && { extra }), resourceAttributes }
  const { status } = await client.resource(SubjectAccessReview).create({ metadata: {}, spec })
  return status.allowed
}

async function act(
  decision: ApprovalDecision,
  { request }: ApprovalObservation,
  { client }: ReconcileContext,
): Promise<ReconcileResult | undefined> {
  if (decision.do === 'wait') {
    const trace = { decision: 'waits for approval', reason: 'the subject access review did not allow it' }
    return { requeueAfter: decision.requeueAfter, trace }
  }
  const status = { ...request.status, conditions: [...(request.status.conditions ?? []), decision.condition] }
  const requests = client.resource(CertificateSigningRequest)
  await requests.subresource('approval').update({ ...request, status })
  return undefined
}
