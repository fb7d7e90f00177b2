import {
  accountOf,
  dayOf,
  invalidSinceLabel,
  isTokenSecret,
  lastUsedLabel,
  startOfDay,
} from '../../api/core/v1/secret/service-account-token.js'
import type { Secret } from '../../api/core/v1/secret.js'
import type { ServiceAccount } from '../../api/core/v1/service-account.js'
import { parseTime } from '../../schema/values/time.js'

/** What is known about the use of a token. */
export interface TokenUse {
  readonly now: number
  /** For how long nobody may have used it, in milliseconds. */
  readonly period: number
  /** The account that the secret names, if there is one. */
  readonly account: ServiceAccount | undefined
  /** Whether a pod of the namespace refers to the secret. */
  readonly isMounted: () => boolean
}

export type Verdict = 'keep' | 'invalidate' | 'delete'

/** What is to become of a secret. */
export function verdictOn(secret: Secret, { now, period, account, isMounted }: TokenUse): Verdict {
  const { deletionTimestamp, labels = {} } = secret.metadata
  const keptSince = dayOf(now - period)
  if (!isTokenSecret(secret) || deletionTimestamp !== undefined || isYoung(secret, now - period)) return 'keep'
  const lastUsed = labels[lastUsedLabel]
  // Of a day that cannot be read nobody knows how long ago it was.
  if (lastUsed !== undefined && (startOfDay(lastUsed) === undefined || lastUsed >= keptSince)) return 'keep'
  if (!wasMadeFor(account, secret) || isMounted()) return 'keep'
  const invalidSince = labels[invalidSinceLabel]
  if (invalidSince === undefined || startOfDay(invalidSince) === undefined) return 'invalidate'
  return invalidSince >= keptSince ? 'keep' : 'delete'
}

function isYoung({ metadata: { creationTimestamp } }: Secret, limit: number): boolean {
  return creationTimestamp === undefined || parseTime(creationTimestamp) >= limit
}

/** An account lists the tokens that were made for it without being asked; those that people make are theirs to remove. */
function wasMadeFor(account: ServiceAccount | undefined, secret: Secret): boolean {
  const { uid } = accountOf(secret)
  if (!account || (uid !== '' && account.metadata.uid !== uid)) return false
  return (account.secrets ?? []).some(({ name }) => name === secret.metadata.name)
}
