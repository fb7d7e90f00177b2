import type { Connection } from './connection.js'
import { readPem } from './credentials/files.js'
import { pemPart } from './credentials/user-credentials.js'
import type { ConnectionsOptions } from './https-connections.js'
import type { Machine } from './machine.js'

export type ServerTrust = Pick<ConnectionsOptions, 'insecure' | 'authority' | 'serverName'>

/** How the server is known. */
export async function trustOf({ cluster }: Connection, { files }: Machine): Promise<ServerTrust> {
  const part = pemPart(cluster['certificate-authority-data'], cluster['certificate-authority'])
  const insecure = cluster['insecure-skip-tls-verify'] === true
  if (part && insecure) throw new Error('specifying a root certificates file with the insecure flag is not allowed')
  const authority = part && (await readPem(part, files))
  if (authority !== undefined && !authority.includes('-----BEGIN CERTIFICATE-----'))
    throw new Error('unable to load root certificates: unable to parse bytes as PEM block')
  return { insecure, authority, serverName: cluster['tls-server-name'] }
}
