import * as field from '../../../schema/field-errors.js'
import { fieldPath } from '../../../schema/field-path.js'
import type { Draft } from '../../../schema/infer.js'
import { internalForm } from '../../../schema/internal-form.js'
import { domainPrefixedKey } from '../../../schema/label-names.js'
import { dnsSubdomain } from '../../../schema/names.js'
import { declareStrategy } from '../../../schema/strategy.js'
import { keepMetadata } from '../../metadata/status-metadata.js'
import { immutable, isSame } from '../../validation/immutability.js'
import { isKubernetesSigner, validateSignerName } from '../v1/signer-names.js'
import { PodCertificateRequest, PodCertificateRequestSpec } from './pod-certificate-request.js'
import { validateOutcome } from './pod-certificate-validation.js'
import { validateKey } from './pod-key-validation.js'

const specPath = fieldPath('spec')
const shownSpec = internalForm<PodCertificateRequestSpec>(PodCertificateRequestSpec)
const longestUid = 128
const hour = 3600
const mostAnnotations = 256 * 1024

export const podCertificateRequestStrategy = declareStrategy<PodCertificateRequest>(PodCertificateRequest, {
  updatedUnconditionally: false,
  prepareCreate(draft) {
    draft.status = {}
  },
  prepareUpdate(draft, old) {
    draft.status = old.status as Draft<PodCertificateRequest['status']>
  },
  validate: ({ spec }) => validateSpec(spec),
  validateUpdate: ({ spec }, old) =>
    isSame(spec, old.spec) ? field.none : [field.invalid(specPath, shownSpec(spec), immutable)],
  subresources: {
    status: {
      prepareUpdate(draft, old) {
        draft.spec = old.spec as Draft<PodCertificateRequestSpec>
        keepMetadata(draft, old)
      },
      validateUpdate: (request, old, { time }) => validateOutcome(request, old, time),
    },
  },
  fields: {
    'spec.signerName': ({ spec }) => spec.signerName,
    'spec.podName': ({ spec }) => spec.podName,
    'spec.nodeName': ({ spec }) => spec.nodeName,
  },
})

/** The objects for which the certificate is issued: each with a name and a uid. */
const holders = [
  ['podName', 'podUID'],
  ['serviceAccountName', 'serviceAccountUID'],
  ['nodeName', 'nodeUID'],
] as const

function validateSpec(spec: PodCertificateRequestSpec): readonly field.FieldError[] {
  const wrongExpiration = validateExpiration(spec)
  return [
    ...validateSignerName(spec.signerName, specPath.child('signerName')),
    ...validateAnnotations(spec),
    ...holders.flatMap(([name, uid]) => [
      ...field.invalidForEach(specPath.child(name), spec[name], dnsSubdomain(spec[name])),
      ...(spec[uid] === '' ? [field.invalid(specPath.child(uid), '', 'must not be empty')] : []),
      ...(Buffer.byteLength(spec[uid]) > longestUid ? [field.tooLong(specPath.child(uid), longestUid)] : []),
    ]),
    ...wrongExpiration,
    ...(spec.maxExpirationSeconds === undefined ? [] : validateKey(spec)),
  ]
}

function validateAnnotations({ unverifiedUserAnnotations }: PodCertificateRequestSpec): readonly field.FieldError[] {
  const path = specPath.child('unverifiedUserAnnotations')
  const entries = Object.entries(unverifiedUserAnnotations ?? {})
  const size = entries.reduce((sum, [key, value]) => sum + Buffer.byteLength(key) + Buffer.byteLength(value), 0)
  return [
    ...entries.flatMap(([key]) => domainPrefixedKey(path, key.toLowerCase())),
    ...(size > mostAnnotations ? [field.tooLong(path, mostAnnotations)] : []),
  ]
}

/** Signers of Kubernetes issue for at most a day, others for at most three months. */
function validateExpiration(spec: PodCertificateRequestSpec): readonly field.FieldError[] {
  const path = specPath.child('maxExpirationSeconds')
  const { maxExpirationSeconds: seconds } = spec
  if (seconds === undefined) return [field.required(path, 'must be set')]
  const most = isKubernetesSigner(spec.signerName) ? 24 * hour : 91 * 24 * hour
  if (seconds >= hour && seconds <= most) return field.none
  return [field.invalid(path, seconds, `must be in the range [${hour}, ${most}]`)]
}
