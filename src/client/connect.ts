import { type Environment, environment as realEnvironment } from '../base/environment.js'
import type { ConnectionConfig } from './connection-config.js'
import type { CredentialSource } from './credentials/credential.js'
import { impersonationOf } from './credentials/impersonation.js'
import { userCredentials } from './credentials/user-credentials.js'
import { type HostAccess, thisHost } from './host-access.js'
import { httpsTransport } from './https/https-transport.js'
import { proxyFromVariables } from './https/proxy-url.js'
import { trustOf } from './https/server-trust.js'
import type { Transport } from './transport.js'

export interface ConnectOptions {
  readonly host?: HostAccess
  readonly environment?: Environment
  readonly userAgent?: string
  /** Who one is, if it is not the user of the connection. */
  readonly credentials?: CredentialSource
}

/** A transport to the server of a connection. Nothing is sent yet; credentials are fetched with the first request. */
export async function connect(connection: ConnectionConfig, options: ConnectOptions = {}): Promise<Transport> {
  const { host = thisHost(), environment = realEnvironment(), userAgent } = options
  const { server, cluster, user, timeout } = connection
  const proxy = cluster['proxy-url'] || proxyFromVariables(server, host.variables)
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
    ...(isSecure && { credentials: options.credentials ?? userCredentials(connection, { host, environment }) }),
    ...(await trustOf(connection, host)),
  })
}
