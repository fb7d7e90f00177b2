import { parseCertificateRequest } from '../../../api/certificates/v1/certificate-request.js'
import type { CertificateSigningRequest } from '../../../api/certificates/v1/certificate-signing-request.js'
import type { ClusterTrustBundle } from '../../../api/certificates/v1beta1/cluster-trust-bundle.js'
import { sameJson } from '../../../schema/json-value.js'
import { quote } from '../../../schema/quote.js'
import type { AuthorizationAttributes } from '../../authorization/authorizer.js'
import type { RequestUser } from '../../request/user.js'
import type { AdmissionPlugin, AdmissionRequest } from '../admission.js'
import { rejection } from '../rejection.js'
import { isFor } from '../requests.js'

/** Whether somebody may do something; asked by plugins about more than the request itself. */
export type IsAllowed = (attributes: AuthorizationAttributes) => boolean | Promise<boolean>

const group = 'certificates.k8s.io'
const requests = 'certificatesigningrequests'

/** A permission on signers is one on a single name, or on all names of a domain. */
async function mayUseSigner(mayThey: IsAllowed, user: RequestUser, verb: string, signerName: string): Promise<boolean> {
  const domain = `${signerName.split('/')[0]}/*`
  for (const name of [signerName, domain]) if (await mayThey(signerAttributes(user, verb, name))) return true
  return false
}

function signerAttributes(user: RequestUser, verb: string, name: string): AuthorizationAttributes {
  return {
    user,
    verb,
    isResource: true,
    path: '',
    group,
    version: '*',
    resource: 'signers',
    subresource: '',
    namespace: '',
    name,
  }
}

async function checkSigner(
  request: AdmissionRequest,
  { mayThey, verb, signerName, deed }: { mayThey: IsAllowed; verb: string; signerName: string; deed: string },
): Promise<void> {
  if (!(await mayUseSigner(mayThey, request.user, verb, signerName)))
    throw rejection(request, `user not permitted to ${deed} signerName ${quote(signerName)}`)
}

/** Who approves a request must be allowed to approve for its signer. */
export function certificateApproval(mayThey: IsAllowed): AdmissionPlugin {
  return {
    name: 'CertificateApproval',
    handles: (request) => request.operation === 'UPDATE' && isFor(request, group, requests, 'approval'),
    validate(request) {
      const { spec } = request.old as CertificateSigningRequest
      return checkSigner(request, {
        mayThey,
        verb: 'approve',
        signerName: spec.signerName,
        deed: 'approve requests with',
      })
    },
  }
}

/** Who issues a certificate must be allowed to sign for its signer. */
export function certificateSigning(mayThey: IsAllowed): AdmissionPlugin {
  return {
    name: 'CertificateSigning',
    handles: (request) => request.operation === 'UPDATE' && isFor(request, group, requests, 'status'),
    validate(request) {
      const { status } = request.object as CertificateSigningRequest
      const { status: before, spec } = request.old as CertificateSigningRequest
      if (status.certificate === before.certificate && sameJson(status.conditions ?? [], before.conditions ?? []))
        return
      return checkSigner(request, { mayThey, verb: 'sign', signerName: spec.signerName, deed: 'sign requests with' })
    },
  }
}

/** Who vouches for the roots of a signer must be allowed to. */
export function clusterTrustBundleAttest(mayThey: IsAllowed): AdmissionPlugin {
  return {
    name: 'ClusterTrustBundleAttest',
    handles: (request) =>
      (request.operation === 'CREATE' || request.operation === 'UPDATE') &&
      isFor(request, group, 'clustertrustbundles'),
    validate(request) {
      const { spec } = request.object as ClusterTrustBundle
      const { signerName = '' } = spec
      const before = (request.old as ClusterTrustBundle | undefined)?.spec
      if (signerName === '' || sameJson(spec, before ?? null)) return
      return checkSigner(request, { mayThey, verb: 'attest', signerName, deed: 'attest for' })
    },
  }
}

const clientSigner = 'kubernetes.io/kube-apiserver-client'
const mightiestGroup = 'system:masters'

/** Nobody becomes almighty by asking for a certificate. */
export const certificateSubjectRestriction: AdmissionPlugin = {
  name: 'CertificateSubjectRestriction',
  handles: (request) => request.operation === 'CREATE' && isFor(request, group, requests),
  validate(request) {
    const { spec } = request.object as CertificateSigningRequest
    if (spec.signerName !== clientSigner) return
    const { organizations } = parseCertificateRequest(Buffer.from(spec.request, 'base64').toString())
    if (organizations.includes(mightiestGroup))
      throw rejection(request, `use of ${clientSigner} signer with ${mightiestGroup} group is not allowed`)
  },
}
