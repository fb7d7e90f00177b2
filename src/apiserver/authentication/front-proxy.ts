import type { IncomingHttpHeaders } from 'node:http'
import type { Clock } from '../../base/clock.js'
import { headerValues } from '../request/header-values.js'
import type { ApiRequest } from '../request/request-context.js'
import type { RequestUser } from '../request/user.js'
import { type Authenticator, BadCredentials } from './authenticator.js'
import { type AcceptsCertificate, certificateClaims, checkCertificateTimes } from './client-certificate.js'

export interface FrontProxyOptions {
  /** Common names that a proxy may have; any if there are none. */
  readonly allowedNames: readonly string[]
  readonly usernameHeaders: readonly string[]
  readonly uidHeaders: readonly string[]
  readonly groupHeaders: readonly string[]
  readonly extraHeaderPrefixes: readonly string[]
}

export interface FrontProxyDependencies extends FrontProxyOptions {
  readonly clock: Clock
  readonly counts: AcceptsCertificate
}

/**
 * A proxy that has authenticated its clients says in headers who they are. It is believed if it shows a certificate of its own
 * authority and has an allowed name; the headers of all others mean nothing. They are taken off in any case that they count, so
 * that nothing behind this takes them for anything.
 */
export function frontProxyAuthenticator(parts: FrontProxyDependencies): Authenticator {
  const { allowedNames, clock, counts } = parts
  const claimOf = certificateClaims()
  return {
    name: 'front proxy',
    authenticate(request) {
      const { certificate } = request.peer
      const name = first(request, parts.usernameHeaders)
      if (name === '' || !certificate || !counts(request.peer)) return undefined
      const claim = claimOf(certificate)
      checkCertificateTimes(claim, clock.now())
      if (allowedNames.length > 0 && !allowedNames.includes(claim.user?.name ?? ''))
        throw new BadCredentials('the certificate of the proxy has a name that is not allowed')
      const user = userOf(name, request, parts)
      removeAll(request.headers, parts)
      return user
    },
  }
}

/** The first header that says something, in the order in which they are configured. */
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

/** Names of extra fields may hold what names of headers may not. */
function decoded(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    return name // not written by those rules, so it stands for itself
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
