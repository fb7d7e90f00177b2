import { parseCertificateRequest } from '../../../api/certificates/v1/certificate-request.js'
import type { CertificateSigningRequest } from '../../../api/certificates/v1/certificate-signing-request.js'
import type { ClusterTrustBundle } from '../../../api/certificates/v1beta1/cluster-trust-bundle.js'
import { sameJson } from '../../../schema/json-value.js'
import { quote } from '../../../schema/quote.js'
import type { AuthorizationAttributes, IsAllowed } from '../../authorization/authorizer.js'
import type { RequestUser } from '../../request/user.js'
import type { AdmissionRequest } from '../admission.js'
import { defineAdmissionPlugin } from '../definition.js'
import { rejection } from '../rejection.js'
import { isFor, isWrite } from '../request.js'

const group = 'certificates.k8s.io'
const requests = 'certificatesigningrequests'

/** Rejects approvals by users that may not approve for the signer. */
export const certificateApproval = defineAdmissionPlugin<CertificateSigningRequest>({
  name: 'CertificateApproval',
  position: 260,
  isDefault: true,
  create: ({ isAllowed }) => ({
    handles: (request) => request.operation === 'UPDATE' && isFor(request, group, requests, 'approval'),
    validate(request) {
      const { signerName } = request.old!.spec
      return checkSigner(request, isAllowed, { verb: 'approve', signerName, action: 'approve requests with' })
    },
  }),
})

/** Rejects certificates from users that may not sign for the signer. */
export const certificateSigning = defineAdmissionPlugin<CertificateSigningRequest>({
  name: 'CertificateSigning',
  position: 270,
  isDefault: true,
  create: ({ isAllowed }) => ({
    handles: (request) => request.operation === 'UPDATE' && isFor(request, group, requests, 'status'),
    validate(request) {
      const { status } = request.object!
      const { status: before, spec } = request.old!
      if (status.certificate === before.certificate && sameJson(status.conditions ?? [], before.conditions ?? []))
        return
      const { signerName } = spec
      return checkSigner(request, isAllowed, { verb: 'sign', signerName, action: 'sign requests with' })
    },
  }),
})

/** Rejects trust bundles of a signer from users that may not attest for it. */
export const clusterTrustBundleAttest = defineAdmissionPlugin<ClusterTrustBundle>({
  name: 'ClusterTrustBundleAttest',
  position: 280,
  isDefault: true,
  create: ({ isAllowed }) => ({
    handles: (request) => isWrite(request) && isFor(request, group, 'clustertrustbundles'),
    validate(request) {
      const { spec } = request.object!
      const { signerName = '' } = spec
      if (signerName === '' || sameJson(spec, request.old?.spec ?? null)) return
      return checkSigner(request, isAllowed, { verb: 'attest', signerName, action: 'attest for' })
    },
  }),
})

const clientSigner = 'kubernetes.io/kube-apiserver-client'
const privilegedGroup = 'system:masters'

/** Rejects requests for client certificates of the group that may do everything. */
export const certificateSubjectRestriction = defineAdmissionPlugin<CertificateSigningRequest>({
  name: 'CertificateSubjectRestriction',
  position: 290,
  isDefault: true,
  create: () => ({
    handles: (request) => request.operation === 'CREATE' && isFor(request, group, requests),
    validate(request) {
      const { spec } = request.object!
      if (spec.signerName !== clientSigner) return
      const { organizations } = parseCertificateRequest(Buffer.from(spec.request, 'base64').toString())
      if (organizations.includes(privilegedGroup))
        throw rejection(request, `use of ${clientSigner} signer with ${privilegedGroup} group is not allowed`)
    },
  }),
})

interface SignerUse {
  readonly verb: string
  readonly signerName: string
  /** For the message. */
  readonly action: string
}

async function checkSigner(
  request: AdmissionRequest,
  isAllowed: IsAllowed,
  { verb, signerName, action }: SignerUse,
): Promise<void> {
  if (!(await mayUseSigner(isAllowed, request.user, verb, signerName)))
    throw rejection(request, `user not permitted to ${action} signerName ${quote(signerName)}`)
}

/** A permission on signers covers one name, or all names of a domain. */
async function mayUseSigner(
  isAllowed: IsAllowed,
  user: RequestUser,
  verb: string,
  signerName: string,
): Promise<boolean> {
  const domain = `${signerName.split('/')[0]}/*`
  for (const name of [signerName, domain]) if (await isAllowed(signerAttributes(user, verb, name))) return true
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
