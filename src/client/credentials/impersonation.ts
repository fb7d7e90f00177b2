import type { KubeconfigUser } from '../kubeconfig/kubeconfig.js'

/** The user as whom the client acts, if it may impersonate. */
export interface Impersonation {
  readonly user: string
  readonly uid?: string
  readonly groups?: readonly string[]
  readonly extra?: Readonly<Record<string, readonly string[]>>
}

export function impersonationOf(user: KubeconfigUser): Impersonation | undefined {
  if (!user.as) return undefined
  return {
    user: user.as,
    ...(user['as-uid'] && { uid: user['as-uid'] }),
    ...(user['as-groups'] && { groups: user['as-groups'] }),
    ...(user['as-user-extra'] && { extra: user['as-user-extra'] }),
  }
}

/** Returns the impersonation headers. A header with several values is sent several times. */
export function impersonationHeaders(impersonation: Impersonation): Readonly<Record<string, string | string[]>> {
  const { user, uid, groups = [], extra = {} } = impersonation
  return {
    'impersonate-user': user,
    ...(uid && { 'impersonate-uid': uid }),
    ...(groups.length > 0 && { 'impersonate-group': [...groups] }),
    ...Object.fromEntries(Object.entries(extra).map(([name, values]) => [extraHeader(name), [...values]])),
  }
}

/** Percent-encodes characters that a header name cannot contain. */
function extraHeader(name: string): string {
  const escaped = [...Buffer.from(name)].map((byte) => {
    const character = String.fromCharCode(byte)
    return /[A-Za-z0-9!#$&'*+.^_`|~-]/.test(character)
      ? character
      : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
  })
  return `impersonate-extra-${escaped.join('')}`
}
