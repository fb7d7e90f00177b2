import type { IncomingHttpHeaders } from 'node:http'
import type { Clock } from '../../base/clock.js'
import { headerValues } from '../request/header-values.js'
import type { ApiRequest } from '../request/request-context.js'
import type { RequestUser } from '../request/user.js'
import { type Authenticator, BadCredentials } from './authenticator.js'
import { type AcceptsCertificate, certificateClaims, checkCertificateTimes } from './client-certificate.js'

export interface FrontProxyOptions {
  /** The accepted common names of proxies; all if empty. */
  readonly allowedNames: readonly string[]
  readonly usernameHeaders: readonly string[]
  readonly uidHeaders: readonly string[]
  readonly groupHeaders: readonly string[]
  readonly extraHeaderPrefixes: readonly string[]
}

export interface FrontProxyDependencies extends FrontProxyOptions {
  readonly clock: Clock
  readonly accepts: AcceptsCertificate
}

/**
 * Accepts the user that an authenticating proxy names in headers, if the proxy has a certificate of the proxies' authority and an allowed name.
 * Ignores the headers of other clients. Removes headers that it accepts, so that no later stage reads them.
 */
export function frontProxyAuthenticator(dependencies: FrontProxyDependencies): Authenticator {
  const { allowedNames, clock, accepts } = dependencies
  const claimOf = certificateClaims()
  return {
    name: 'front proxy',
    authenticate(request) {
      const { certificate } = request.peer
      const name = first(request, dependencies.usernameHeaders)
      if (name === '' || !certificate || !accepts(request.peer)) return undefined
      const claim = claimOf(certificate)
      checkCertificateTimes(claim, clock.now())
      if (allowedNames.length > 0 && !allowedNames.includes(claim.user?.name ?? ''))
        throw new BadCredentials('the name in the certificate of the proxy is not allowed')
      const user = userOf(name, request, dependencies)
      removeAll(request.headers, dependencies)
      return user
    },
  }
}

/** Returns the first non-empty header, in the configured order. */
function first(request: ApiRequest, names: readonly string[]): string {
  for (const name of names) {
    const value = headerValues(request, name)[0]?.trim() ?? ''
    if (value !== '') return value
  }
  return ''
}

function userOf(name: string, request: ApiRequest, options: FrontProxyOptions): RequestUser {
  const groups = options.groupHeaders.flatMap((header) => headerValues(request, header))
  const extra: Record<string, readonly string[]> = {}
  for (const prefix of options.extraHeaderPrefixes)
    for (const header of Object.keys(request.headers))
      if (header.startsWith(prefix.toLowerCase()) && header.length > prefix.length)
        extra[decoded(header.slice(prefix.length))] = headerValues(request, header)
  return { name, uid: first(request, options.uidHeaders), groups: groups.filter((group) => group !== ''), extra }
}

/** Names of extra fields are percent-encoded, because header names allow fewer characters. */
function decoded(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    return name // not percent-encoded
  }
}

function removeAll(headers: IncomingHttpHeaders, options: FrontProxyOptions): void {
  const names = [...options.usernameHeaders, ...options.uidHeaders, ...options.groupHeaders].map((name) =>
    name.toLowerCase(),
  )
  for (const header of Object.keys(headers)) {
    const isExtra = options.extraHeaderPrefixes.some((prefix) => header.startsWith(prefix.toLowerCase()))
    if (isExtra || names.includes(header)) delete headers[header]
  }
}
