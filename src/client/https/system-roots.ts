import { type Files, type HostAccess, isMissing } from '../host-access.js'

/** The files with the trusted CAs of Linux distributions and other systems, in PEM form. */
const rootFiles = [
  '/etc/ssl/certs/ca-certificates.crt',
  '/etc/pki/tls/certs/ca-bundle.crt',
  '/etc/ssl/ca-bundle.pem',
  '/etc/pki/tls/cacert.pem',
  '/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem',
  '/etc/ssl/cert.pem',
]

interface RootsHost {
  readonly variables: HostAccess['variables']
  readonly files: Pick<Files, 'read'>
}

/**
 * Returns the trusted CAs of the system, which verify a server if no CA is configured. As with other Kubernetes clients these are not the
 * CAs that come with Node. Undefined if the system has none.
 */
export async function systemRoots({ variables, files }: RootsHost): Promise<string | undefined> {
  const chosen = variables.SSL_CERT_FILE
  for (const file of chosen ? [chosen] : rootFiles) {
    try {
      return await files.read(file)
    } catch (error) {
      if (!isMissing(error)) throw error
    }
  }
  return undefined
}
