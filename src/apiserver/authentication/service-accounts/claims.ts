/** The claims of a service account token. Times in seconds since the epoch. */
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
  /** Clients should have renewed the token by then. */
  readonly warnafter?: number
}

export interface ObjectClaim {
  readonly name: string
  readonly uid?: string
}
