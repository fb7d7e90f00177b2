import { ValueError } from '../../../../schema/value-error.js'
import { parseTime } from '../../../../schema/values/time.js'
import type { Secret } from '../secret.js'

/** Bootstrap tokens, with which new nodes join: secrets in `kube-system` with an expiration and usages. */
export const bootstrapTokens = {
  namespace: 'kube-system',
  type: 'bootstrap.kubernetes.io/token',
  namePrefix: 'bootstrap-token-',
} as const

export function isBootstrapToken({ type, metadata }: Secret): boolean {
  return type === bootstrapTokens.type && metadata.namespace === bootstrapTokens.namespace
}

/** The decoded value of a key; empty if it is absent. */
export function tokenValue({ data }: Secret, name: string): string {
  return Buffer.from(data?.[name] ?? '', 'base64').toString()
}

/** The expiration in milliseconds since the epoch; undefined if there is none. A malformed one counts as expired. */
export function tokenEnd(secret: Secret): number | undefined {
  const text = tokenValue(secret, 'expiration')
  if (text === '') return undefined
  try {
    return parseTime(text)
  } catch (error) {
    if (error instanceof ValueError) return 0
    throw error
  }
}
