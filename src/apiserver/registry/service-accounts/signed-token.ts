import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto'

/** What a token says, by the names that are registered for it. */
export interface TokenClaims {
  readonly iss: string
  readonly sub: string
  readonly aud: readonly string[]
  readonly iat: number
  readonly nbf: number
  readonly exp: number
  readonly jti: string
  readonly 'kubernetes.io': KubernetesClaims
}

export interface KubernetesClaims {
  readonly namespace: string
  readonly serviceaccount: ObjectClaim
  readonly pod?: ObjectClaim
  readonly secret?: ObjectClaim
  readonly node?: ObjectClaim
  /** From then on, in seconds since the epoch, who uses the token should be told to renew it. */
  readonly warnafter?: number
}

export interface ObjectClaim {
  readonly name: string
  readonly uid?: string
}

/** Puts a signature under claims: a JSON web token. */
export type SignClaims = (claims: TokenClaims) => string

/** Signs by a private key in PEM form, RSA or on the curve P-256. The key is named in the token by its public half. */
export function tokenSigner(pem: string): SignClaims {
  const key = createPrivateKey(pem)
  const header = encoded({ alg: algorithmOf(key), kid: keyId(createPublicKey(key)) })
  return (claims) => {
    const signed = `${header}.${encoded(claims)}`
    const signature = sign('sha256', Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' })
    return `${signed}.${signature.toString('base64url')}`
  }
}

function algorithmOf({ asymmetricKeyType: type }: KeyObject): string {
  if (type === 'rsa') return 'RS256'
  if (type === 'ec') return 'ES256'
  throw new Error(`tokens of service accounts cannot be signed by a key of type ${type}`)
}

/** The same for everyone who has the public key. */
export function keyId(key: KeyObject): string {
  return createHash('sha256')
    .update(key.export({ type: 'spki', format: 'der' }))
    .digest('base64url')
}

function encoded(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}
