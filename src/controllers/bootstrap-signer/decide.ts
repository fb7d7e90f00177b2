import { createHmac } from 'node:crypto'
import { bootstrapTokens, isBootstrapToken, tokenEnd, tokenValue } from '../../api/core/v1/secret/bootstrap-token.js'
import type { Secret } from '../../api/core/v1/secret.js'
import { encodeJson } from '../../wire/jwt/base64url.js'

type ConfigData = Readonly<Record<string, string>>

export interface SignerObservation {
  /** Of the ConfigMap `cluster-info`. */
  readonly data: ConfigData
  /** The Secrets of the namespace that holds bootstrap tokens. */
  readonly secrets: readonly Secret[]
  readonly now: number
}

export interface SignerDecision {
  /** The data to write; undefined if it is right, or there is nothing to sign. */
  readonly data: ConfigData | undefined
  /** Milliseconds until the next token expires, and its signature with it. */
  readonly requeueAfter: number | undefined
}

/** A signature has this key, followed by the public half of its token. */
const prefix = 'jws-kubeconfig-'
const tokenId = /^[a-z0-9]{6}$/

export function decide({ data, secrets, now }: SignerObservation): SignerDecision {
  const tokens = secrets.filter(isBootstrapToken)
  const ends = tokens.flatMap((token) => tokenEnd(token) ?? []).filter((end) => end > now)
  return {
    data: signedData(data, tokens, now),
    requeueAfter: ends.length === 0 ? undefined : Math.min(...ends) - now,
  }
}

function signedData(data: ConfigData, tokens: readonly Secret[], now: number): ConfigData | undefined {
  const { kubeconfig } = data
  if (kubeconfig === undefined) return undefined
  const rest = Object.entries(data).filter(([key]) => !key.startsWith(prefix))
  const signatures = tokens
    .filter((token) => maySign(token, now))
    .map((token) => [prefix + tokenValue(token, 'token-id'), detachedSignature(kubeconfig, token)] as const)
  const signed = Object.fromEntries([...rest, ...signatures])
  return isSame(signed, data) ? undefined : signed
}

function maySign(token: Secret, now: number): boolean {
  const id = tokenValue(token, 'token-id')
  const isNamed = tokenId.test(id) && token.metadata.name === bootstrapTokens.namePrefix + id
  const isMeant = tokenValue(token, 'usage-bootstrap-signing') === 'true' && tokenValue(token, 'token-secret') !== ''
  return isNamed && isMeant && (tokenEnd(token) ?? Number.POSITIVE_INFINITY) > now
}

/** A JSON web signature (RFC 7515) without its payload, which is the content that was signed. */
function detachedSignature(content: string, token: Secret): string {
  const head = encodeJson({ alg: 'HS256', kid: tokenValue(token, 'token-id') })
  const signed = `${head}.${Buffer.from(content).toString('base64url')}`
  const signature = createHmac('sha256', tokenValue(token, 'token-secret')).update(signed).digest('base64url')
  return `${head}..${signature}`
}

function isSame(one: ConfigData, other: ConfigData): boolean {
  const keys = Object.keys(one)
  return keys.length === Object.keys(other).length && keys.every((key) => one[key] === other[key])
}
