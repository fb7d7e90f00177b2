/** Validates the public key of a pod certificate request and the proof of possession. */
import { constants, createPublicKey, type KeyObject, verify } from 'node:crypto'
import * as field from '../../../schema/field-errors.js'
import { fieldPath } from '../../../schema/field-path.js'
import { CertificateRequestError, readCertificateRequest } from '../v1/certificate-request.js'
import type { PodCertificateRequestSpec } from './pod-certificate-request.js'

const largest = 10 * 1024
const stubPath = fieldPath('spec', 'stubPKCS10Request')
const keyPath = fieldPath('spec', 'pkixPublicKey')
const proofPath = fieldPath('spec', 'proofOfPossession')

/** Undefined if the spec has no valid key. */
export function requestedKey({
  stubPKCS10Request,
  pkixPublicKey = '',
}: PodCertificateRequestSpec): KeyObject | undefined {
  return stubPKCS10Request ? stubKey(stubPKCS10Request) : plainKey(pkixPublicKey)
}

function stubKey(stub: string): KeyObject | undefined {
  try {
    return readCertificateRequest(Buffer.from(stub, 'base64')).publicKey
  } catch (error) {
    if (error instanceof CertificateRequestError) return undefined
    throw error
  }
}

function plainKey(key: string): KeyObject | undefined {
  try {
    return createPublicKey({ key: Buffer.from(key, 'base64'), format: 'der', type: 'spki' })
  } catch {
    return undefined
  }
}

/** The key is part of a signed PKCS #10 request, or is sent with a separate signature. */
export function validateKey(spec: PodCertificateRequestSpec): readonly field.FieldError[] {
  const { stubPKCS10Request: stub, pkixPublicKey: key = '', proofOfPossession: proof = '' } = spec
  const tooLong = (
    [
      [stubPath, stub],
      [keyPath, key],
      [proofPath, proof],
    ] as const
  ).find(([, text]) => Buffer.byteLength(text, 'base64') > largest)
  if (tooLong) return [field.tooLong(tooLong[0], largest)]
  if (stub && !key && !proof) return validateStub(stub)
  if (!stub && key && proof) return validatePlainKey(spec)
  const detail = 'exactly one of (stubPKCS10Request) or (pkixPublicKey, proofOfPossession) must be set'
  return [field.invalid(fieldPath('spec'), field.omitted, detail)]
}

function validateStub(stub: string): readonly field.FieldError[] {
  const key = stubKey(stub)
  if (!key) return [field.invalid(stubPath, field.omitted, 'must be a valid PKCS#10 CSR')]
  const problem = keyProblem(key)
  return problem ? [field.invalid(stubPath, problem.shown, problem.detail)] : field.none
}

function validatePlainKey(spec: PodCertificateRequestSpec): readonly field.FieldError[] {
  const { pkixPublicKey = '', proofOfPossession = '' } = spec
  const key = plainKey(pkixPublicKey)
  if (!key) return [field.invalid(keyPath, pkixPublicKey, 'must be a valid PKIX-serialized public key')]
  const problem = keyProblem(key)
  if (problem) return [field.invalid(keyPath, problem.shown ?? pkixPublicKey, problem.detail)]
  if (isSignedBy(key, spec.podUID, Buffer.from(proofOfPossession, 'base64'))) return field.none
  return [field.invalid(proofPath, field.omitted, 'could not verify proof-of-possession signature')]
}

interface KeyProblem {
  readonly shown?: string
  readonly detail: string
}

function keyProblem({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): KeyProblem | undefined {
  switch (asymmetricKeyType) {
    case 'ed25519':
      return undefined
    case 'ec': {
      const curve = asymmetricKeyDetails?.namedCurve ?? ''
      if (['prime256v1', 'secp384r1', 'secp521r1'].includes(curve)) return undefined
      return { shown: `curve ${curve}`, detail: 'elliptic public keys must use curve P256 or P384' }
    }
    case 'rsa': {
      const bits = asymmetricKeyDetails?.modulusLength ?? 0
      if (bits === 3072 || bits === 4096) return undefined
      return { shown: `${bits}-bit modulus`, detail: 'RSA keys must have modulus size 3072 or 4096' }
    }
    default:
      return { detail: 'unknown public key type; supported types are Ed25519, ECDSA, and RSA' }
  }
}

/** The signed text is the uid of the pod. */
function isSignedBy(key: KeyObject, podUid: string, signature: Buffer): boolean {
  const data = Buffer.from(podUid)
  if (key.asymmetricKeyType === 'ed25519') return verify(null, data, key, signature)
  if (key.asymmetricKeyType === 'ec') return verify('sha256', data, key, signature)
  const pss = { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_AUTO }
  return verify('sha256', data, pss, signature)
}
