import { type Environment, environment as realEnvironment } from '../base/environment.js'
import type { Connection } from './connection.js'
import type { CredentialSource } from './credentials/credential.js'
import { readPem } from './credentials/files.js'
import { pemPart, userCredentials } from './credentials/user-credentials.js'
import { httpsTransport } from './https.js'
import { impersonationOf } from './impersonation.js'
import { type Machine, thisMachine } from './machine.js'
import { proxyFromVariables } from './proxy-url.js'
import type { Transport } from './transport.js'

export interface ConnectParts {
  readonly machine?: Machine
  readonly environment?: Environment
  readonly userAgent?: string
  /** Who one is, if it is not the user of the connection. */
  readonly credentials?: CredentialSource
}

/** A transport to the server of a connection. Nothing is sent yet; credentials are fetched with the first request. */
export async function connect(connection: Connection, parts: ConnectParts = {}): Promise<Transport> {
  const { machine = thisMachine(), environment = realEnvironment(), userAgent } = parts
  const { server, cluster, user, timeout } = connection
  const proxy = cluster['proxy-url'] || proxyFromVariables(server, machine.variables)
  const isSecure = server.startsWith('https:')
  return httpsTransport({
    server,
    proxy,
    timeout,
    clock: environment.clock,
    compress: !cluster['disable-compression'],
    impersonate: impersonationOf(user),
    ...(userAgent && { userAgent }),
    // On a plain connection everybody could read them.
    ...(isSecure && { credentials: parts.credentials ?? userCredentials(connection, { machine, environment }) }),
    ...(await trustOf(connection, machine)),
  })
}

/** How the server is known. */
async function trustOf({ cluster }: Connection, { files }: Machine) {
  const part = pemPart(cluster['certificate-authority-data'], cluster['certificate-authority'])
  const insecure = cluster['insecure-skip-tls-verify'] === true
  if (part && insecure) throw new Error('specifying a root certificates file with the insecure flag is not allowed')
  const authority = part && (await readPem(part, files))
  if (authority !== undefined && !authority.includes('-----BEGIN CERTIFICATE-----'))
    throw new Error('unable to load root certificates: unable to parse bytes as PEM block')
  return { insecure, authority, serverName: cluster['tls-server-name'] }
}
