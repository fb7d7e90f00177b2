import { ListMeta, ShardInfo } from '../../../api/meta/v1/list-meta.js'
import { Status, StatusCause, StatusDetails } from '../../../api/meta/v1/status.js'
import { bool, bytes, list, map, ref, string } from '../../../schema/fields.js'
import type { Infer } from '../../../schema/infer.js'
import { kind, schema } from '../../../schema/schema.js'
import { Scheme } from '../../../schema/scheme.js'

/** Only the response of a returned review is read. */
const AdmissionReviewV1 = kind('admission/v1.AdmissionReview', {
  optional: { response: ref<AdmissionResponse>(2, 'admission/v1.AdmissionResponse') },
})

const AdmissionReviewV1beta1 = kind('admission/v1beta1.AdmissionReview', {
  optional: { response: ref<AdmissionResponse>(2, 'admission/v1.AdmissionResponse') },
})

const AdmissionResponse = schema('admission/v1.AdmissionResponse', {
  optional: {
    uid: string(1, { goType: 'types.UID' }),
    allowed: bool(2),
    status: ref<Status>(3, 'meta/v1.Status'),
    patch: bytes(4),
    patchType: string(5, { keepZero: true }),
    auditAnnotations: map(6, string),
    warnings: list(7, string),
  },
})

export interface AdmissionResponse extends Infer<typeof AdmissionResponse> {}

export interface AdmissionReview {
  readonly apiVersion?: string
  readonly kind?: string
  readonly response?: AdmissionResponse
}

/** The kinds of responses. They are no part of the served API, so they are declared here. */
export const responseScheme = new Scheme({
  declarations: [
    AdmissionReviewV1,
    AdmissionReviewV1beta1,
    AdmissionResponse,
    Status,
    StatusDetails,
    StatusCause,
    ListMeta,
    ShardInfo,
  ],
  groups: [
    { short: 'admission', name: 'admission.k8s.io', legacy: [], openapi: '' },
    { short: 'meta', name: '', legacy: [], openapi: '' },
  ],
})
