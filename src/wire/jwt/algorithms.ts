import { constants, type KeyObject } from 'node:crypto'

/** One way of signing, by the name that stands in a token's head. */
export interface Algorithm {
  readonly name: string
  readonly hash: 'sha256' | 'sha384' | 'sha512'
  readonly keyType: 'rsa' | 'ec'
  /** Of elliptic keys; by OpenSSL's name. */
  readonly curve?: string
  /** How the signature is laid out, as Node takes it. */
  readonly layout: object
}

const pkcs1 = { padding: constants.RSA_PKCS1_PADDING }
const pss = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST }
const pair = { dsaEncoding: 'ieee-p1363' }

const algorithms: readonly Algorithm[] = [
  { name: 'RS256', hash: 'sha256', keyType: 'rsa', layout: pkcs1 },
  { name: 'RS384', hash: 'sha384', keyType: 'rsa', layout: pkcs1 },
  { name: 'RS512', hash: 'sha512', keyType: 'rsa', layout: pkcs1 },
  { name: 'ES256', hash: 'sha256', keyType: 'ec', curve: 'prime256v1', layout: pair },
  { name: 'ES384', hash: 'sha384', keyType: 'ec', curve: 'secp384r1', layout: pair },
  { name: 'ES512', hash: 'sha512', keyType: 'ec', curve: 'secp521r1', layout: pair },
  { name: 'PS256', hash: 'sha256', keyType: 'rsa', layout: pss },
  { name: 'PS384', hash: 'sha384', keyType: 'rsa', layout: pss },
  { name: 'PS512', hash: 'sha512', keyType: 'rsa', layout: pss },
]

const byName = new Map(algorithms.map((algorithm) => [algorithm.name, algorithm]))

/** All that there are: `none` and those with a secret shared by both sides are not among them. */
export const algorithmNames: readonly string[] = [...byName.keys()]

export function algorithmNamed(name: string): Algorithm | undefined {
  return byName.get(name)
}

/** Shorter ones have been broken. */
const fewestRsaBits = 2048

/** Whether a key, public or private, may be used with an algorithm: never by what a token says alone. */
export function fits({ keyType, curve }: Algorithm, key: KeyObject): boolean {
  const { asymmetricKeyType: type, asymmetricKeyDetails: details } = key
  if (type !== keyType) return false
  return keyType === 'ec' ? details?.namedCurve === curve : (details?.modulusLength ?? 0) >= fewestRsaBits
}

/** The usual one for a key. Undefined where there is none. */
export function algorithmFor(key: KeyObject): Algorithm | undefined {
  return algorithms.find((algorithm) => fits(algorithm, key))
}
