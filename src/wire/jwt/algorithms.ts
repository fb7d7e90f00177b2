import { constants, type KeyObject } from 'node:crypto'

/** A signature algorithm, by its name in the header of a token. */
export interface Algorithm {
  readonly name: string
  readonly hash: 'sha256' | 'sha384' | 'sha512'
  readonly keyType: 'rsa' | 'ec'
  /** The curve of elliptic keys, by OpenSSL's name. */
  readonly curve?: string
  /** The options of the signature for Node's crypto. */
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

/** All supported algorithms: `none` and those with a shared secret are not supported. */
export const algorithmNames: readonly string[] = [...byName.keys()]

export function algorithmNamed(name: string): Algorithm | undefined {
  return byName.get(name)
}

/** Shorter keys are insecure. */
const fewestRsaBits = 2048

/** Whether a key, public or private, may be used with an algorithm. The header of a token alone never decides that. */
export function fits({ keyType, curve }: Algorithm, key: KeyObject): boolean {
  const { asymmetricKeyType: type, asymmetricKeyDetails: details } = key
  if (type !== keyType) return false
  return keyType === 'ec' ? details?.namedCurve === curve : (details?.modulusLength ?? 0) >= fewestRsaBits
}

/** Returns the default algorithm of a key; undefined if there is none. */
export function algorithmFor(key: KeyObject): Algorithm | undefined {
  return algorithms.find((algorithm) => fits(algorithm, key))
}
