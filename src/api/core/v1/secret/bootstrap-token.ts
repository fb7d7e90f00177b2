import { ValueError } from '../../../../schema/value-error.js'
import { parseTime } from '../../../../schema/values/time.js'
import type { Secret } from '../secret.js'

/** Tokens by which new nodes join: each is a secret of the namespace `kube-system`, with an end and a purpose. */
export const bootstrapTokens = {
  namespace: 'kube-system',
  type: 'bootstrap.kubernetes.io/token',
  namePrefix: 'bootstrap-token-',
} as const

export function isBootstrapToken({ type, metadata }: Secret): boolean {
  return type === bootstrapTokens.type && metadata.namespace === bootstrapTokens.namespace
}

/** What the secret holds under a name; empty where it holds nothing. */
export function tokenValue({ data }: Secret, name: string): string {
  return Buffer.from(data?.[name] ?? '', 'base64').toString()
}

/** When the token ends, in milliseconds since the epoch; undefined where it has no end. One that cannot be read is over. */
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
