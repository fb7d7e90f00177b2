import type { Secret } from '../secret.js'

/** Secrets of this type hold a token of a service account: the first generation of tokens, without end. */
export const tokenSecretType = 'kubernetes.io/service-account-token'

export const accountNameKey = 'kubernetes.io/service-account.name'
export const accountUidKey = 'kubernetes.io/service-account.uid'

/** When such a token was last shown to the API server: a day. */
export const lastUsedLabel = 'kubernetes.io/legacy-token-last-used'
/** Since when such a token does not count any more: a day. */
export const invalidSinceLabel = 'kubernetes.io/legacy-token-invalid-since'

/** Where the API server says since when it writes down which of these tokens are used. */
export const tokenTracking = {
  namespace: 'kube-system',
  name: 'kube-apiserver-legacy-service-account-token-tracking',
  key: 'since',
} as const

/** Who issued tokens before issuers had addresses. */
export const legacyIssuer = 'kubernetes/serviceaccount'

/** What these tokens say is written under names that begin with this. */
export const legacyClaimPrefix = 'kubernetes.io/serviceaccount'

export function isTokenSecret({ type }: Secret): boolean {
  return type === tokenSecretType
}

/** Whose token it is; the uid is empty where anyone of that name will do. */
export function accountOf({ metadata: { annotations = {} } }: Secret): { readonly name: string; readonly uid: string } {
  return { name: annotations[accountNameKey] ?? '', uid: annotations[accountUidKey] ?? '' }
}

/** `2006-01-02`: how days are written in labels. */
export function dayOf(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(0, 10)
}

/** The beginning of a day in milliseconds since the epoch; undefined where the text names none. */
export function startOfDay(day: string | undefined): number | undefined {
  if (day === undefined || !/^\d{4}-\d{2}-\d{2}$/.test(day)) return undefined
  const start = Date.parse(`${day}T00:00:00Z`)
  return Number.isNaN(start) || dayOf(start) !== day ? undefined : start
}
