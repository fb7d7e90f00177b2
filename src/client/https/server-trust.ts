import type { ServerConnectionsOptions } from '../../wire/http/server-connections.js'
import type { ConnectionConfig } from '../connection-config.js'
import { readPem } from '../credentials/files.js'
import { pemSource } from '../credentials/user-credentials.js'
import type { HostAccess } from '../host-access.js'
import { systemRoots } from './system-roots.js'

export type ServerTrust = Pick<ServerConnectionsOptions, 'insecure' | 'authority' | 'serverName'>

/** Returns how to verify the server: by the CA of the kubeconfig, or by those of the system. */
export async function trustOf(connection: ConnectionConfig, host: HostAccess): Promise<ServerTrust> {
  const { server, cluster } = connection
  const insecure = cluster['insecure-skip-tls-verify'] === true
  const own = await authorityOf(connection, host)
  if (own !== undefined && insecure)
    throw new Error('specifying a root certificates file with the insecure flag is not allowed')
  const isKnown = own !== undefined || insecure || !server.startsWith('https:')
  const authority = isKnown ? own : await systemRoots(host)
  return { insecure, authority, serverName: cluster['tls-server-name'] }
}

/** Returns the CA of the kubeconfig, if it has one. */
export async function authorityOf({ cluster }: ConnectionConfig, { files }: HostAccess): Promise<string | undefined> {
  const part = pemSource(cluster['certificate-authority-data'], cluster['certificate-authority'])
  const authority = part && (await readPem(part, files))
  if (authority !== undefined && !authority.includes('-----BEGIN CERTIFICATE-----'))
    throw new Error('unable to load root certificates: unable to parse bytes as PEM block')
  return authority
}
