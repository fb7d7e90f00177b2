/** What a token of a service account says. Times in seconds since the epoch. */
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
  /** From then on who uses the token should have renewed it. */
  readonly warnafter?: number
}

export interface ObjectClaim {
  readonly name: string
  readonly uid?: string
}

export function serviceAccountSubject(namespace: string, name: string): string {
  return `system:serviceaccount:${namespace}:${name}`
}

/** The groups that every account of a namespace is in. */
export function groupsOf(namespace: string): readonly string[] {
  return ['system:serviceaccounts', `system:serviceaccounts:${namespace}`]
}
