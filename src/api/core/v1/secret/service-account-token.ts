import type { Secret } from '../secret.js'

/** The type of secrets with a legacy service account token, which does not expire. */
export const tokenSecretType = 'kubernetes.io/service-account-token'

export const accountNameKey = 'kubernetes.io/service-account.name'
export const accountUidKey = 'kubernetes.io/service-account.uid'

/** The day of the last use of such a token. */
export const lastUsedLabel = 'kubernetes.io/legacy-token-last-used'
/** The day since which such a token is invalid. */
export const invalidSinceLabel = 'kubernetes.io/legacy-token-invalid-since'

/** The config map with the day since which the API server tracks the use of legacy tokens. */
export const tokenTracking = {
  namespace: 'kube-system',
  name: 'kube-apiserver-legacy-service-account-token-tracking',
  key: 'since',
} as const

/** The issuer of legacy tokens. */
export const legacyIssuer = 'kubernetes/serviceaccount'

/** The prefix of the claims of legacy tokens. */
export const legacyClaimPrefix = 'kubernetes.io/serviceaccount'

export function isTokenSecret({ type }: Secret): boolean {
  return type === tokenSecretType
}

/** The service account of a token secret. The uid is empty if any account of that name is accepted. */
export function accountOf({ metadata: { annotations = {} } }: Secret): { readonly name: string; readonly uid: string } {
  return { name: annotations[accountNameKey] ?? '', uid: annotations[accountUidKey] ?? '' }
}

/** Formats a day for labels: `2006-01-02`. */
export function dayOf(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(0, 10)
}

/** The start of a day in milliseconds since the epoch; undefined if the text is malformed. */
export function startOfDay(day: string | undefined): number | undefined {
  if (day === undefined || !/^\d{4}-\d{2}-\d{2}$/.test(day)) return undefined
  const start = Date.parse(`${day}T00:00:00Z`)
  return Number.isNaN(start) || dayOf(start) !== day ? undefined : start
}
