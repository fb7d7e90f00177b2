import { type Environment, environment as realEnvironment } from '../base/environment.js'
import { Client, type ClientOptions } from './client.js'
import type { ConnectionConfig } from './connection-config.js'
import type { CredentialSource } from './credentials/credential.js'
import { impersonationOf } from './credentials/impersonation.js'
import { userCredentials } from './credentials/user-credentials.js'
import { type HostAccess, thisHost } from './host-access.js'
import { type HttpsTransport, httpsTransport } from './https/https-transport.js'
import { proxyFromVariables } from './https/proxy-url.js'
import { trustOf } from './https/server-trust.js'
import { type ResolveOptions, resolveConnection } from './kubeconfig/resolve.js'

export interface ConnectOptions {
  readonly host?: HostAccess
  readonly environment?: Pick<Environment, 'clock' | 'log'>
  readonly userAgent?: string
  /** Further headers of each request. */
  readonly headers?: Readonly<Record<string, string>>
  /** In place of the credentials of the connection's user. */
  readonly credentials?: CredentialSource
}

/** Builds a transport to the server of a connection. Sends nothing yet; credentials are fetched with the first request. */
export async function connect(connection: ConnectionConfig, options: ConnectOptions = {}): Promise<HttpsTransport> {
  const { host = thisHost(), environment = realEnvironment(), userAgent, headers } = options
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
    ...(headers && { headers }),
    // Never on a plain connection, where anybody could read them.
    ...(isSecure && { credentials: options.credentials ?? userCredentials(connection, { host, environment }) }),
    ...(await trustOf(connection, host)),
  })
}

export type ByKubeconfigOptions = ResolveOptions & ConnectOptions & Pick<ClientOptions, 'warn'>

/**
 * Builds a client like kubectl does: from flags, `$KUBECONFIG`, `~/.kube/config`, or the service account of the pod that this runs in.
 * `resolveConnection` and `connect` are its two steps, for callers that need the namespace as well.
 */
export async function clientByKubeconfig(options: ByKubeconfigOptions = {}): Promise<Client> {
  const { host = thisHost(), environment = realEnvironment(), warn } = options
  const connection = await resolveConnection(host, options)
  const transport = await connect(connection, { ...options, host, environment })
  return new Client(transport, { clock: environment.clock, ...(warn && { warn }) })
}
