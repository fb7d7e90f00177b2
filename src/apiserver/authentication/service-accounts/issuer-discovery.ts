import { algorithmFor } from '../../../wire/jwt/algorithms.js'
import type { RequestContext } from '../../request/request-context.js'
import { type BytesResponse, textResponse } from '../../response/response.js'
import { keySet } from '../jwt/jwk.js'
import type { VerifyingKey } from '../jwt/verify.js'

export interface IssuerOptions {
  readonly issuer: string
  readonly keys: readonly VerifyingKey[]
  /** The URL of the keys, if not at this server. */
  readonly keysUrl?: string | undefined
  /** The address of this server for clients: `192.0.2.1:6443`. */
  readonly address: string
}

export const configurationPath = '/.well-known/openid-configuration'
export const keysPath = '/openid/v1/jwks'

/** Serves the discovery documents by which other programs verify service account tokens. Undefined at other paths. */
export type IssuerDiscovery = (context: RequestContext) => BytesResponse | undefined

/** Encodes both documents in advance. If the issuer is not a URL, there is no discovery. */
export function issuerDiscovery({ issuer, keys, keysUrl, address }: IssuerOptions): IssuerDiscovery {
  if (!isDiscoverable(issuer)) return () => undefined
  const algorithms = [...new Set(keys.map(({ key }) => algorithmFor(key)?.name ?? ''))].sort()
  const configuration = {
    issuer,
    jwks_uri: keysUrl ?? `https://${address}${keysPath}`,
    response_types_supported: ['id_token'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: algorithms,
  }
  const responses = new Map([
    [configurationPath, textResponse(200, JSON.stringify(configuration), 'application/json')],
    [keysPath, textResponse(200, JSON.stringify(keySet(keys)), 'application/jwk-set+json')],
  ])
  return ({ request, headers }) => {
    const response = responses.get(request.path)
    if (response) headers['cache-control'] = 'public, max-age=3600'
    return response
  }
}

function isDiscoverable(issuer: string): boolean {
  if (!URL.canParse(issuer)) return false
  const { protocol, search, hash } = new URL(issuer)
  return protocol === 'https:' && search === '' && hash === ''
}
