import { X509Certificate } from 'node:crypto'
import * as field from '../../../schema/field-errors.js'
import { fieldPath } from '../../../schema/field-path.js'
import { quote } from '../../../schema/quote.js'
import { pemBlocks } from '../../pem.js'
import { isSame } from '../../validation/immutability.js'
import { CertificateRequestError, parseCertificateRequest } from './certificate-request.js'
import {
  type CertificateSigningRequest,
  type CertificateSigningRequestCondition,
  type CertificateSigningRequestStatus,
  KeyUsage,
} from './certificate-signing-request.js'
import { validateSignerName } from './signer-names.js'

const specPath = fieldPath('spec')
const conditionsPath = fieldPath('status', 'conditions')
const certificatePath = fieldPath('status', 'certificate')
const usages: readonly string[] = [...KeyUsage.type.values].sort()

/** The signer of requests from the first API version, which had no signers. */
const legacySigner = 'kubernetes.io/legacy-unknown'

/** Validates a request. Problems that `old` already has are ignored. */
export function validateRequest(
  request: CertificateSigningRequest,
  old: CertificateSigningRequest | undefined,
): readonly field.FieldError[] {
  return [
    ...validateContent(request),
    ...validateUsages(request.spec.usages ?? [], old?.spec.usages ?? []),
    ...validateSigner(request.spec.signerName, old?.spec.signerName),
    ...validateExpiration(request),
    ...validateConditions(request.status.conditions ?? [], old?.status.conditions ?? []),
    ...validateCertificate(request.status, old?.status),
  ]
}

function validateContent({ spec: { request } }: CertificateSigningRequest): readonly field.FieldError[] {
  try {
    parseCertificateRequest(Buffer.from(request, 'base64').toString('latin1'))
    return field.none
  } catch (error) {
    if (!(error instanceof CertificateRequestError)) throw error
    return [field.invalid(specPath.child('request'), request, error.message)]
  }
}

function validateUsages(asked: readonly string[], before: readonly string[]): readonly field.FieldError[] {
  const path = specPath.child('usages')
  const errors: field.FieldError[] = asked.length === 0 ? [field.required(path)] : []
  if (before.every((usage) => usages.includes(usage)))
    for (const [i, usage] of asked.entries())
      if (!usages.includes(usage)) errors.push(field.notSupported(path.index(i), usage, usages))
  if (repeated(before).length === 0)
    for (const i of repeated(asked)) errors.push(field.duplicate(path.index(i), asked[i]))
  return errors
}

/** The indices of duplicates. */
function repeated(list: readonly string[]): readonly number[] {
  return [...list.keys()].filter((i) => list.indexOf(list[i]!) < i)
}

function validateSigner(name: string, before: string | undefined): readonly field.FieldError[] {
  const path = specPath.child('signerName')
  if (name !== legacySigner || before === legacySigner) return validateSignerName(name, path)
  return [field.invalid(path, name, 'the legacy signerName is not allowed via this API version')]
}

function validateExpiration({ spec: { expirationSeconds } }: CertificateSigningRequest): readonly field.FieldError[] {
  if (expirationSeconds === undefined || expirationSeconds >= 600) return field.none
  const detail = 'may not specify a duration less than 600 seconds (10 minutes)'
  return [field.invalid(specPath.child('expirationSeconds'), expirationSeconds, detail)]
}

/** Final condition types, which are true or absent. */
const finalTypes: readonly string[] = ['Approved', 'Denied', 'Failed']

type Conditions = readonly CertificateSigningRequestCondition[]

function validateConditions(conditions: Conditions, before: Conditions): readonly field.FieldError[] {
  const types = conditions.map(({ type }) => type)
  const typesBefore = before.map(({ type }) => type)
  const mayContradict = ['Approved', 'Denied'].every((type) => typesBefore.includes(type))
  const mayRepeat = repeated(typesBefore).length > 0
  return conditions.flatMap(({ type, status }, i) => {
    const errors: field.FieldError[] = []
    if (type === '' && !typesBefore.includes('')) errors.push(field.required(conditionsPath.index(i).child('type')))
    errors.push(...validateConditionStatus(type, status, i))
    const opposite = type === 'Approved' ? 'Denied' : type === 'Denied' ? 'Approved' : undefined
    if (!mayContradict && opposite !== undefined && types.slice(0, i).includes(opposite))
      errors.push(field.invalid(conditionsPath, type, 'Approved and Denied conditions are mutually exclusive'))
    if (!mayRepeat && types.indexOf(type) < i) errors.push(field.duplicate(conditionsPath.index(i).child('type'), type))
    return errors
  })
}

function validateConditionStatus(type: string, status: string, index: number): readonly field.FieldError[] {
  const path = conditionsPath.index(index).child('status')
  const allowed = finalTypes.includes(type) ? ['True'] : ['False', 'True', 'Unknown']
  if (status === '') return [field.required(path)]
  return allowed.includes(status) ? field.none : [field.notSupported(path, status, allowed)]
}

type Status = CertificateSigningRequestStatus

function validateCertificate({ certificate = '' }: Status, old: Status | undefined): readonly field.FieldError[] {
  if (old && (old.certificate === certificate || certificateProblem(old.certificate ?? '') !== undefined))
    return field.none
  const problem = certificateProblem(certificate)
  return problem === undefined ? field.none : [field.invalid(certificatePath, '<certificate data>', problem)]
}

/** The problem of an issued certificate in base64; undefined if it is valid. */
function certificateProblem(certificate: string): string | undefined {
  if (certificate === '') return undefined
  const blocks = pemBlocks(Buffer.from(certificate, 'base64').toString('latin1'))
  for (const { type, hasHeaders, bytes } of blocks) {
    if (type !== 'CERTIFICATE') return `only CERTIFICATE PEM blocks are allowed, found ${quote(type)}`
    if (hasHeaders) return 'no PEM block headers are permitted'
    if (!isCertificate(bytes)) return 'x509: malformed certificate'
  }
  return blocks.length === 0 ? 'must contain at least one CERTIFICATE PEM block' : undefined
}

export function isCertificate(bytes: Buffer): boolean {
  return readCertificate(bytes) !== undefined
}

/** Undefined if the bytes are not a certificate. */
export function readCertificate(bytes: Buffer): X509Certificate | undefined {
  try {
    return new X509Certificate(bytes)
  } catch {
    return undefined
  }
}

/** The parts of the status that a write may change. */
export interface RequestPowers {
  readonly approve?: boolean
  readonly issue?: boolean
}

export function validateRequestUpdate(
  request: CertificateSigningRequest,
  old: CertificateSigningRequest,
  powers: RequestPowers,
): readonly field.FieldError[] {
  return [
    ...validateRequest(request, old),
    ...finalTypes.flatMap((type) => removalErrors(type, request, old)),
    ...(powers.approve ? [] : ['Approved', 'Denied'].flatMap((type) => decisionErrors(type, request, old))),
    ...validateCertificateChange(request.status.certificate ?? '', old.status.certificate ?? '', powers),
  ]
}

function conditionsOf({ status }: CertificateSigningRequest, type: string): Conditions {
  return (status.conditions ?? []).filter((condition) => condition.type === type)
}

function removalErrors(
  type: string,
  request: CertificateSigningRequest,
  old: CertificateSigningRequest,
): readonly field.FieldError[] {
  if (conditionsOf(request, type).length >= conditionsOf(old, type).length) return field.none
  return [field.forbidden(conditionsPath, `updates may not remove a condition of type ${quote(type)}`)]
}

function decisionErrors(
  type: string,
  request: CertificateSigningRequest,
  old: CertificateSigningRequest,
): readonly field.FieldError[] {
  const [conditions, before] = [conditionsOf(request, type), conditionsOf(old, type)]
  if (conditions.length > before.length)
    return [field.forbidden(conditionsPath, `updates may not add a condition of type ${quote(type)}`)]
  if (conditions.length < before.length || isSame(conditions, before)) return field.none
  return [field.forbidden(conditionsPath, `updates may not modify a condition of type ${quote(type)}`)]
}

function validateCertificateChange(
  after: string,
  before: string,
  { issue }: RequestPowers,
): readonly field.FieldError[] {
  if (after === before) return field.none
  if (!issue) return [field.forbidden(certificatePath, 'updates may not set certificate content')]
  if (before === '') return field.none
  return [field.forbidden(certificatePath, 'updates may not modify existing certificate content')]
}
