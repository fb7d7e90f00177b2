import { parseCertificateRequest } from '../../../api/certificates/v1/certificate-request.js'
import type { CertificateSigningRequest } from '../../../api/certificates/v1/certificate-signing-request.js'
import type { PersistentVolumeClaim } from '../../../api/core/v1/persistent-volume-claim.js'
import { asJson } from '../../../api/kube-object.js'
import type { ResourceSlice } from '../../../api/resource/v1/resource-slice.js'
import { sameJson } from '../../../schema/json-value.js'
import { quote } from '../../../schema/quote.js'
import { nodeOfUser } from '../../authorization/well-known-users.js'
import type { AdmissionRequest } from '../admission.js'
import { defineAdmissionPlugin } from '../definition.js'
import { rejection } from '../rejection.js'
import { checkNode } from './nodes.js'
import { PodChecks } from './pods.js'
import { TokenChecks } from './tokens.js'

/** Rejects, by throwing, a write that a node may not make. */
type Check = (request: AdmissionRequest, node: string) => void | Promise<void>

/**
 * Restricts nodes by the content of objects, which authorization does not see: a node may write only about itself and the pods that are
 * bound to it, and nothing that would bring it other pods or secrets.
 */
export const nodeRestriction = defineAdmissionPlugin({
  name: 'NodeRestriction',
  position: 90,
  create({ lookups, isAllowed }) {
    const pods = new PodChecks(lookups)
    const tokens = new TokenChecks(lookups, isAllowed)
    const checks: Readonly<Record<string, Check>> = {
      '/pods': (request, node) => pods.check(request, node),
      '/nodes': checkNode,
      '/persistentvolumeclaims': checkClaimStatus,
      '/serviceaccounts': (request, node) => tokens.check(request, node),
      'coordination.k8s.io/leases': checkLease,
      'storage.k8s.io/csinodes': checkCsiNode,
      'resource.k8s.io/resourceslices': checkResourceSlice,
      'certificates.k8s.io/certificatesigningrequests': checkSigningRequest,
    }
    return {
      handles: ({ user, operation }) => operation !== 'CONNECT' && nodeOfUser(user) !== undefined,
      mutate(request) {
        const node = nodeOfUser(request.user)!
        if (node === '') throw rejection(request, `could not determine node from user ${quote(request.user.name)}`)
        const { group, resource } = request.resource.groupResource
        const key = `${group}/${resource}`
        return Object.hasOwn(checks, key) ? checks[key]!(request, node) : undefined
      },
    }
  },
})

/** A node may report the size of a claim, and nothing else. */
function checkClaimStatus(request: AdmissionRequest, node: string): void {
  if (request.subresource !== 'status') throw rejection(request, 'may only update PVC status')
  if (request.operation !== 'UPDATE') throw rejection(request, `unexpected operation ${quote(request.operation)}`)
  const claim = request.object as PersistentVolumeClaim
  const old = request.old as PersistentVolumeClaim
  if (!sameJson(asJson(withoutSize(claim)), asJson(withoutSize(old))))
    throw rejection(
      request,
      `node ${quote(node)} is not allowed to update fields other than status.capacity and status.conditions`,
    )
}

function withoutSize({ metadata, status = {}, ...rest }: PersistentVolumeClaim): object {
  const { resourceVersion: _1, managedFields: _2, ...otherMetadata } = metadata
  const { capacity: _3, conditions: _4, allocatedResources: _5, allocatedResourceStatuses: _6, ...otherStatus } = status
  return { ...rest, metadata: otherMetadata, status: otherStatus }
}

const leaseNamespace = 'kube-node-lease'

function checkLease(request: AdmissionRequest, node: string): void {
  if (request.namespace !== leaseNamespace)
    throw rejection(request, `can only access leases in the ${quote(leaseNamespace)} system namespace`)
  if (request.name !== node)
    throw rejection(request, 'can only access node lease with the same name as the requesting node')
}

function checkCsiNode(request: AdmissionRequest, node: string): void {
  if (request.name !== node)
    throw rejection(request, 'can only access CSINode with the same name as the requesting node')
}

function checkResourceSlice(request: AdmissionRequest, node: string): void {
  const verb = request.operation === 'DELETE' ? 'delete' : 'create'
  const slice = (request.operation === 'CREATE' ? request.object : request.old) as ResourceSlice | undefined
  const nodeName = slice?.spec?.nodeName
  if (nodeName !== node)
    throw rejection(request, `can only ${verb} ResourceSlice with the same NodeName as the requesting node`)
}

const nodeSigners: ReadonlySet<string> = new Set([
  'kubernetes.io/kubelet-serving',
  'kubernetes.io/kube-apiserver-client-kubelet',
])

/** A node may request certificates in its own name only. */
function checkSigningRequest(request: AdmissionRequest): void {
  if (request.operation !== 'CREATE' || request.subresource !== '') return
  const { spec } = request.object as CertificateSigningRequest
  if (!nodeSigners.has(spec.signerName)) return
  const { commonName } = parseCertificateRequest(Buffer.from(spec.request, 'base64').toString())
  const { name } = request.user
  if (commonName !== name) throw rejection(request, `can only create a node CSR with CN=${name}`)
}
