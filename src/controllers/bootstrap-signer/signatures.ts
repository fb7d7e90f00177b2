import { createHmac } from 'node:crypto'
import { bootstrapTokens, tokenEnd, tokenValue } from '../../api/core/v1/secret/bootstrap-token.js'
import type { Secret } from '../../api/core/v1/secret.js'
import { encodeJson } from '../../wire/jwt/base64url.js'

type Data = Readonly<Record<string, string>>

/** Under these names signatures stand, each with the public half of its token behind it. */
const prefix = 'jws-kubeconfig-'
const tokenId = /^[a-z0-9]{6}$/

/** What must be in the ConfigMap; undefined where that is so, or there is nothing to sign. */
export function signedData(data: Data, tokens: Iterable<Secret>, now: number): Data | undefined {
  const { kubeconfig } = data
  if (kubeconfig === undefined) return undefined
  const rest = Object.entries(data).filter(([key]) => !key.startsWith(prefix))
  const signatures = [...tokens]
    .filter((token) => maySign(token, now))
    .map((token) => [prefix + tokenValue(token, 'token-id'), detachedSignature(kubeconfig, token)] as const)
  const signed = Object.fromEntries([...rest, ...signatures])
  return isSame(signed, data) ? undefined : signed
}

/** When the next signature must go, in milliseconds since the epoch. */
export function nextEnd(tokens: Iterable<Secret>, now: number): number | undefined {
  const ends = [...tokens].map(tokenEnd).filter((end) => end !== undefined && end > now) as number[]
  return ends.length === 0 ? undefined : Math.min(...ends)
}

function maySign(token: Secret, now: number): boolean {
  const id = tokenValue(token, 'token-id')
  const isNamed = tokenId.test(id) && token.metadata.name === bootstrapTokens.namePrefix + id
  const isMeant = tokenValue(token, 'usage-bootstrap-signing') === 'true' && tokenValue(token, 'token-secret') !== ''
  return isNamed && isMeant && (tokenEnd(token) ?? Number.POSITIVE_INFINITY) > now
}

/** A signed token, RFC 7515, without the part in the middle: that is what was signed. */
function detachedSignature(content: string, token: Secret): string {
  const head = encodeJson({ alg: 'HS256', kid: tokenValue(token, 'token-id') })
  const signed = `${head}.${Buffer.from(content).toString('base64url')}`
  const signature = createHmac('sha256', tokenValue(token, 'token-secret')).update(signed).digest('base64url')
  return `${head}..${signature}`
}

function isSame(one: Data, other: Data): boolean {
  const keys = Object.keys(one)
  return keys.length === Object.keys(other).length && keys.every((key) => one[key] === other[key])
}
