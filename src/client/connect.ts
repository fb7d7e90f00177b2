import { type Environment, environment as realEnvironment } from '../base/environment.js'
import type { Connection } from './connection.js'
import type { CredentialSource } from './credentials/credential.js'
import { userCredentials } from './credentials/user-credentials.js'
import { httpsTransport } from './https.js'
import { impersonationOf } from './impersonation.js'
import { type Machine, thisMachine } from './machine.js'
import { proxyFromVariables } from './proxy-url.js'
import type { Transport } from './transport.js'
import { trustOf } from './trust.js'

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
