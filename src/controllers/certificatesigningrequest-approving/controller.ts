import { SubjectAccessReview } from '../../api/authorization/v1/subject-access-review.js'
import {
  CertificateSigningRequest,
  type CertificateSigningRequestSpec,
} from '../../api/certificates/v1/certificate-signing-request.js'
import type { Client } from '../../client/client.js'
import { parseTime } from '../../schema/values/time.js'
import { askedFor, conditionOf, isIssued } from '../certificates/requests.js'
import { controller } from '../runtime/builder.js'
import type { Controller } from '../runtime/controller.js'
import type { ReconcileContext, ReconcileResult } from '../runtime/reconcile.js'
import { type Permission, patience, permissionsFor } from './recognition.js'

/** Approves what nodes ask for, if those who ask may have it. */
export function certificateApproving(): Controller {
  return controller('certificatesigningrequest-approving').for(CertificateSigningRequest).workers(5).reconcile(decide)
}

async function decide(
  name: string,
  { client, informers, environment }: ReconcileContext,
): Promise<ReconcileResult | undefined> {
  const request = informers.of(CertificateSigningRequest).get(name)
  if (!request || isDecided(request)) return undefined
  const permissions = permissionsFor(request.spec, askedFor(request))
  for (const permission of permissions)
    if (await isAllowed(request.spec, permission, client)) return approve(request, permission, client)
  if (permissions.length === 0) return undefined
  const trace = { decision: 'waits for somebody to approve it', reason: 'the subject access review did not allow it' }
  return { requeueAfter: patience(parseTime(request.metadata.creationTimestamp!), environment.clock.now()), trace }
}

function isDecided(request: CertificateSigningRequest): boolean {
  return (
    isIssued(request) || conditionOf(request, 'Approved') !== undefined || conditionOf(request, 'Denied') !== undefined
  )
}

async function isAllowed(
  { username, uid, groups, extra }: CertificateSigningRequestSpec,
  { subresource }: Permission,
  client: Client,
): Promise<boolean> {
  const group = 'certificates.k8s.io'
  const resourceAttributes = { group, resource: 'certificatesigningrequests', verb: 'create', subresource }
  const user = { ...(username && { user: username }), ...(uid && { uid }), ...(groups && { groups }) }
  const spec = { ...user, ...(extra && { extra }), resourceAttributes }
  const { status } = await client.resource(SubjectAccessReview).create({ metadata: {}, spec })
  return status.allowed
}

async function approve(
  request: CertificateSigningRequest,
  { message }: Permission,
  client: Client,
): Promise<undefined> {
  const condition = { type: 'Approved', status: 'True', reason: 'AutoApproved', message } as const
  const status = { ...request.status, conditions: [...(request.status.conditions ?? []), condition] }
  await client
    .resource(CertificateSigningRequest)
    .subresource('approval')
    .update({ ...request, status })
}
