import type { ApiRequest } from '../request/request-context.js'

/** Browsers cannot set headers: they send their token as an offered protocol with this prefix. */
export const tokenProtocol = 'base64url.bearer.authorization.k8s.io.'

export function offeredProtocols({ 'sec-websocket-protocol': offered = '' }: ApiRequest['headers']): readonly string[] {
  return offered
    .split(',')
    .map((protocol) => protocol.trim())
    .filter((protocol) => protocol !== '')
}

/** Removes the token, which no stage after authentication may see. */
export function withoutToken(headers: ApiRequest['headers']): ApiRequest['headers'] {
  const offered = offeredProtocols(headers)
  const others = offered.filter((protocol) => !protocol.startsWith(tokenProtocol))
  if (others.length === offered.length) return headers
  const { 'sec-websocket-protocol': _secret, ...rest } = headers
  return others.length === 0 ? rest : { ...rest, 'sec-websocket-protocol': others.join(', ') }
}
