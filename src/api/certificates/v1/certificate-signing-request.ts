import {
  bytes,
  int32,
  list,
  listOf,
  map,
  oneOf,
  openEnumeration,
  ref,
  string,
  time,
  type Values,
} from '../../../schema/fields.js'
import type { Infer, Instance } from '../../../schema/infer.js'
import { ageColumn, column, kind, nameColumn, objectSubresource, schema } from '../../../schema/schema.js'
import { ConditionStatus } from '../../core/v1/condition-status.js'
import { objectMetadata } from '../../meta/v1/object-meta.js'

export const RequestConditionType = openEnumeration('certificates/v1.RequestConditionType', [
  'Approved',
  'Denied',
  'Failed',
])
export type RequestConditionType = Values<typeof RequestConditionType>

export const KeyUsage = openEnumeration('certificates/v1.KeyUsage', [
  'signing',
  'digital signature',
  'content commitment',
  'key encipherment',
  'key agreement',
  'data encipherment',
  'cert sign',
  'crl sign',
  'encipher only',
  'decipher only',
  'any',
  'server auth',
  'client auth',
  'code signing',
  'email protection',
  's/mime',
  'ipsec end system',
  'ipsec tunnel',
  'ipsec user',
  'timestamping',
  'ocsp signing',
  'microsoft sgc',
  'netscape sgc',
])
export type KeyUsage = Values<typeof KeyUsage>

export const CertificateSigningRequest = kind('certificates/v1.CertificateSigningRequest', {
  required: {
    spec: ref<CertificateSigningRequestSpec>(2, 'certificates/v1.CertificateSigningRequestSpec'),
  },
  optional: {
    metadata: objectMetadata,
    status: ref<CertificateSigningRequestStatus>(3, 'certificates/v1.CertificateSigningRequestStatus', {
      always: true,
    }),
  },
  resource: {
    plural: 'certificatesigningrequests',
    shortNames: ['csr'],
    subresources: { approval: objectSubresource, status: objectSubresource },
    columns: [
      nameColumn,
      ageColumn,
      column('SignerName'),
      column('Requestor'),
      column('RequestedDuration'),
      column('Condition'),
    ],
  },
})
export interface CertificateSigningRequest extends Instance<typeof CertificateSigningRequest> {}

export const CertificateSigningRequestSpec = schema('certificates/v1.CertificateSigningRequestSpec', {
  required: {
    request: bytes(1),
    signerName: string(7),
  },
  optional: {
    username: string(2),
    uid: string(3),
    groups: list(4, string),
    usages: list(5, KeyUsage),
    extra: map(6, listOf(string), { goType: 'map[string]v1.ExtraValue' }),
    expirationSeconds: int32(8, { keepZero: true }),
  },
})
export interface CertificateSigningRequestSpec extends Infer<typeof CertificateSigningRequestSpec> {}

export const CertificateSigningRequestStatus = schema('certificates/v1.CertificateSigningRequestStatus', {
  optional: {
    conditions: list(1, ref<CertificateSigningRequestCondition>('certificates/v1.CertificateSigningRequestCondition'), {
      keys: ['type'],
    }),
    certificate: bytes(2),
  },
})
export interface CertificateSigningRequestStatus extends Infer<typeof CertificateSigningRequestStatus> {}

export const CertificateSigningRequestCondition = schema('certificates/v1.CertificateSigningRequestCondition', {
  required: {
    type: oneOf(1, RequestConditionType),
    status: oneOf(6, ConditionStatus),
  },
  optional: {
    reason: string(2),
    message: string(3),
    lastUpdateTime: time(4, { always: true }),
    lastTransitionTime: time(5, { always: true }),
  },
})
export interface CertificateSigningRequestCondition extends Infer<typeof CertificateSigningRequestCondition> {}
