import { type Files, type HostAccess, isMissing } from '../host-access.js'

/** Where the systems of this world keep the authorities that everybody on them trusts, in PEM form. */
const places = [
  '/etc/ssl/certs/ca-certificates.crt',
  '/etc/pki/tls/certs/ca-bundle.crt',
  '/etc/ssl/ca-bundle.pem',
  '/etc/pki/tls/cacert.pem',
  '/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem',
  '/etc/ssl/cert.pem',
]

interface RootsKeeper {
  readonly variables: HostAccess['variables']
  readonly files: Pick<Files, 'read'>
}

/**
 * Whom this machine trusts: by these a server is known whose authority nobody names. They are the system's, as for all other clients of
 * Kubernetes, and not those that come with Node. Undefined where the system has none.
 */
export async function systemRoots({ variables, files }: RootsKeeper): Promise<string | undefined> {
  const chosen = variables.SSL_CERT_FILE
  for (const place of chosen ? [chosen] : places) {
    try {
      return await files.read(place)
    } catch (error) {
      if (!isMissing(error)) throw error
    }
  }
  return undefined
}
