/** Validates the status of a pod certificate request: denied, failed, or issued with a certificate. */
import type { X509Certificate } from 'node:crypto'
import * as field from '../../../schema/field-errors.js'
import { fieldPath } from '../../../schema/field-path.js'
import { pemBlocks } from '../../pem.js'
import { validateOptionalChoice } from '../../validation/choices.js'
import { validateConditions } from '../../validation/conditions.js'
import { isSame } from '../../validation/immutability.js'
import { readCertificate } from '../v1/certificate-signing-request-validation.js'
import type { PodCertificateRequest, PodCertificateRequestStatus } from './pod-certificate-request.js'
import { requestedKey } from './pod-key-validation.js'

const statusPath = fieldPath('status')
const chainPath = statusPath.child('certificateChain')
const conditionsPath = statusPath.child('conditions')
const outcomes = ['Issued', 'Denied', 'Failed']
const largestChain = 100 * 1024
const minute = 60_000

export function validateOutcome(
  request: PodCertificateRequest,
  old: PodCertificateRequest,
  time: string,
): readonly field.FieldError[] {
  const { status } = request
  const wrongConditions = [
    ...validateOutcomeConditions(status),
    ...validateConditions(status.conditions, conditionsPath),
  ]
  if (wrongConditions.length > 0) return wrongConditions
  if (outcomeOf(old.status) !== undefined)
    return sameStatus(status, old.status, 'immutable after PodCertificateRequest is issued, denied, or failed')
  const outcome = outcomeOf(status)
  if (outcome === undefined)
    return sameStatus(status, old.status, 'status is immutable unless transitioning to "Issued", "Denied", or "Failed"')
  if (outcome === 'Issued') return validateIssued(request, time)
  return sameStatus(
    status,
    { conditions: status.conditions! },
    'non-condition status fields must be empty when denying or failing the PodCertificateRequest',
  )
}

function outcomeOf({ conditions }: PodCertificateRequestStatus): string | undefined {
  return (conditions ?? []).find(({ type, status }) => outcomes.includes(type) && status === 'True')?.type
}

function sameStatus(
  status: PodCertificateRequestStatus,
  wanted: PodCertificateRequestStatus,
  detail: string,
): readonly field.FieldError[] {
  return isSame(status, wanted) ? field.none : [field.invalid(statusPath, field.omitted, detail)]
}

/** Requires one condition with the status true. As upstream does, paths have the index as a field. */
function validateOutcomeConditions({ conditions }: PodCertificateRequestStatus): readonly field.FieldError[] {
  let known = 0
  return (conditions ?? []).flatMap(({ type, status }, i) => {
    const path = conditionsPath.child(`[${i}]`)
    if (!outcomes.includes(type)) return [field.notSupported(path.child('type'), type, outcomes)]
    const detail = 'There may be at most one condition with type "Issued", "Denied", or "Failed"'
    return [
      ...(++known > 1 ? [field.invalid(path.child('type'), type, detail)] : []),
      ...validateOptionalChoice(status, path.child('status'), ['True']),
    ]
  })
}

function validateIssued(request: PodCertificateRequest, time: string): readonly field.FieldError[] {
  const { certificateChain = '' } = request.status
  if (Buffer.byteLength(certificateChain) > largestChain) return [field.tooLong(chainPath, largestChain)]
  const wrong = (detail: string) => [field.invalid(chainPath, certificateChain, detail)]
  const [leafBlock, ...rest] = pemBlocks(certificateChain)
  if (!leafBlock) return wrong('issued certificate chain must contain at least one certificate')
  if (leafBlock.type !== 'CERTIFICATE')
    return wrong('issued certificate chain must consist entirely of CERTIFICATE PEM blocks')
  const leaf = readCertificate(leafBlock.bytes)
  if (!leaf) return wrong('leaf certificate does not parse as valid X.509')
  const wrongNames = validateLeafNames(leaf)
  if (wrongNames.length > 0) return wrongNames
  const key = requestedKey(request.spec)
  if (!key || !leaf.publicKey.equals(key)) return wrong('leaf certificate was not issued to the requested public key')
  const wrongTimes = validateTimes(request, leaf, time)
  if (wrongTimes.length > 0) return wrongTimes
  for (const { type, bytes } of rest) {
    if (type !== 'CERTIFICATE') return wrong('issued certificate chain must consist entirely of CERTFICATE PEM blocks')
    if (!readCertificate(bytes)) return wrong('intermediate certificate does not parse as valid X.509')
  }
  return field.none
}

function validateLeafNames({ subjectAltName = '' }: X509Certificate): readonly field.FieldError[] {
  const names = subjectAltName.split(', ').flatMap((name) => (name.startsWith('DNS:') ? [name.slice(4)] : []))
  return names.flatMap((name) => {
    const problems: string[] = []
    if (name === '') problems.push('leaf certificate should not contain empty DNSName')
    if (name.includes('..')) problems.push("leaf certificate's DNSName should not contain '..'")
    if (name.startsWith('.') || name.endsWith('.'))
      problems.push("leaf certificate's DNSName should not start or end with '.'")
    return problems.map((detail) => field.invalid(chainPath, name, detail))
  })
}

/** The times in the status must equal those of the certificate and leave time for renewal. */
function validateTimes(
  { spec, status }: PodCertificateRequest,
  leaf: X509Certificate,
  now: string,
): readonly field.FieldError[] {
  const absent = missingTimes(status)
  if (absent.length > 0) return absent
  const [notBefore, notAfter, refresh] = [status.notBefore!, status.notAfter!, status.beginRefreshAt!]
  const [from, to, renewal] = [notBefore, notAfter, refresh].map((text) => Date.parse(text)) as [number, number, number]
  const wrong = (name: string, value: unknown, detail: string) => [field.invalid(statusPath.child(name), value, detail)]
  if (from !== Date.parse(leaf.validFrom))
    return wrong('notBefore', notBefore, 'must be set to the NotBefore time encoded in the leaf certificate')
  if (Math.abs(from - Date.parse(now)) >= 5 * minute)
    return wrong('notBefore', notBefore, "must be set to within 5 minutes of kube-apiserver's current time")
  if (to !== Date.parse(leaf.validTo))
    return wrong('notAfter', notAfter, 'must be set to the NotAfter time encoded in the leaf certificate')
  const lifetime = to - from
  const { maxExpirationSeconds = 0 } = spec
  if (lifetime < 60 * minute)
    return wrong('certificateChain', lifetime * 1e6, 'leaf certificate lifetime must be >= 1 hour')
  if (lifetime > maxExpirationSeconds * 1000) {
    const detail = `leaf certificate lifetime must be <= spec.maxExpirationSeconds (${maxExpirationSeconds})`
    return wrong('certificateChain', lifetime * 1e6, detail)
  }
  if (renewal < from + 10 * minute)
    return wrong('beginRefreshAt', refresh, 'must be at least 10 minutes after status.notBefore')
  if (renewal > to - 10 * minute)
    return wrong('beginRefreshAt', refresh, 'must be at least 10 minutes before status.notAfter')
  return field.none
}

function missingTimes(status: PodCertificateRequestStatus): readonly field.FieldError[] {
  const consistent = 'must be present and consistent with the issued certificate'
  const details = {
    notBefore: consistent,
    notAfter: consistent,
    beginRefreshAt: 'must be present and in the range [notbefore+10min, notafter-10min]',
  }
  return (Object.keys(details) as (keyof typeof details)[])
    .filter((name) => !status[name])
    .map((name) => field.required(statusPath.child(name), details[name]))
}
