import { parseCertificateRequest } from '../../../api/certificates/v1/certificate-request.js'
import type { CertificateSigningRequest } from '../../../api/certificates/v1/certificate-signing-request.js'
import type { ResourceSlice } from '../../../api/resource/v1/resource-slice.js'
import { quote } from '../../../schema/quote.js'
import { nodeOfUser } from '../../authorization/node/identity.js'
import type { AdmissionPlugin, AdmissionRequest } from '../admission.js'
import type { ObjectLookups } from '../lookup.js'
import type { IsAllowed } from '../plugins/certificates.js'
import { rejection } from '../rejection.js'
import { checkClaimStatus } from './claims.js'
import { checkNode } from './nodes.js'
import { PodChecks } from './pods.js'
import { TokenChecks } from './tokens.js'

/** Looks at what a node writes. Refuses by throwing. */
type Check = (request: AdmissionRequest, node: string) => void | Promise<void>

/**
 * What authorization cannot see, because it stands in the object: a node may write only about itself and the pods that are bound
 * to it, and nothing that would bring it pods or secrets that are not meant for it.
 */
export function nodeRestriction(lookups: ObjectLookups, mayThey: IsAllowed): AdmissionPlugin {
  const pods = new PodChecks(lookups)
  const tokens = new TokenChecks(lookups, mayThey)
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
    name: 'NodeRestriction',
    handles: ({ user, operation }) => operation !== 'CONNECT' && nodeOfUser(user) !== undefined,
    mutate(request) {
      const node = nodeOfUser(request.user)!
      if (node === '') throw rejection(request, `could not determine node from user ${quote(request.user.name)}`)
      const { group, resource } = request.resource.groupResource
      const key = `${group}/${resource}`
      return Object.hasOwn(checks, key) ? checks[key]!(request, node) : undefined
    },
  }
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

/** A node asks for certificates in its own name. */
function checkSigningRequest(request: AdmissionRequest): void {
  if (request.operation !== 'CREATE' || request.subresource !== '') return
  const { spec } = request.object as CertificateSigningRequest
  if (!nodeSigners.has(spec.signerName)) return
  const { commonName } = parseCertificateRequest(Buffer.from(spec.request, 'base64').toString())
  const { name } = request.user
  if (commonName !== name) throw rejection(request, `can only create a node CSR with CN=${name}`)
}
