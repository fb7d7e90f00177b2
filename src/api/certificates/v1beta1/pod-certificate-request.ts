import { bytes, int32, list, map, ref, string, time } from '../../../schema/fields.js'
import type { Infer, Instance } from '../../../schema/infer.js'
import { kind, schema } from '../../../schema/schema.js'
import type { Condition } from '../../meta/v1/condition.js'
import { objectMetadata } from '../../meta/v1/object-meta.js'

export const PodCertificateRequest = kind('certificates/v1beta1.PodCertificateRequest', {
  required: {
    spec: ref<PodCertificateRequestSpec>(2, 'certificates/v1beta1.PodCertificateRequestSpec'),
  },
  optional: {
    metadata: objectMetadata,
    status: ref<PodCertificateRequestStatus>(3, 'certificates/v1beta1.PodCertificateRequestStatus', { always: true }),
  },
  listed: true,
})
export interface PodCertificateRequest extends Instance<typeof PodCertificateRequest> {}

export const PodCertificateRequestSpec = schema('certificates/v1beta1.PodCertificateRequestSpec', {
  required: {
    signerName: string(1),
    podName: string(2),
    podUID: string(3, { goType: 'types.UID' }),
    serviceAccountName: string(4),
    serviceAccountUID: string(5, { goType: 'types.UID' }),
    nodeName: string(6, { goType: 'types.NodeName' }),
    nodeUID: string(7, { goType: 'types.UID' }),
    stubPKCS10Request: bytes(12),
  },
  optional: {
    maxExpirationSeconds: int32(8, { default: 86400, keepZero: true }),
    pkixPublicKey: bytes(9),
    proofOfPossession: bytes(10),
    unverifiedUserAnnotations: map(11, string),
  },
})
export interface PodCertificateRequestSpec extends Infer<typeof PodCertificateRequestSpec> {}

export const PodCertificateRequestStatus = schema('certificates/v1beta1.PodCertificateRequestStatus', {
  optional: {
    conditions: list(1, ref<Condition>('meta/v1.Condition'), { keys: ['type'], mergeKey: 'type' }),
    certificateChain: string(2),
    notBefore: time(4),
    beginRefreshAt: time(5),
    notAfter: time(6),
  },
})
export interface PodCertificateRequestStatus extends Infer<typeof PodCertificateRequestStatus> {}
