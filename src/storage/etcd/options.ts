import { readFile } from 'node:fs/promises'
import { isIP } from 'node:net'
import { checkServerIdentity } from 'node:tls'
import { type ChannelCredentials, credentials } from '@grpc/grpc-js'
import { InvalidRequestError } from '../errors.js'

/** The API server's flags about etcd: each of the first five is the flag `--etcd-…` of the same name. */
export interface EtcdStoreOptions {
  /** Where the members listen: `http://host:port`, `https://host:port`, or `host:port`. */
  readonly servers: readonly string[]
  /** Files in PEM form: whom to trust, and who we are. Naming any of them means TLS where the address does not say. */
  readonly cafile?: string
  readonly certfile?: string
  readonly keyfile?: string
  /** All keys lie under this one. `/registry` unless given; `''` for keys that are complete in themselves. */
  readonly prefix?: string
  /** In milliseconds: a call that has not been answered after this long fails with `UnavailableError`. 5,000 unless given. */
  readonly timeout?: number
  /** In milliseconds: a member that is silent for this long is asked whether it is there. 1,000 unless given. */
  readonly heartbeat?: number
  /** How much of what a slow watcher has not read yet is held in memory. 4 MiB unless given. */
  readonly watchBufferBytes?: number
}

export interface EtcdEndpoint {
  /** `host:port`. */
  readonly address: string
  readonly credentials: ChannelCredentials
  /** The name to say in the TLS handshake, where it is not the host's. */
  readonly serverName?: string
}

/** The files are read once, here: a store that is to use new certificates is opened anew. */
export async function etcdEndpoints(options: EtcdStoreOptions): Promise<EtcdEndpoint[]> {
  if (options.servers.length === 0) throw new InvalidRequestError('no etcd server is named')
  const [ca, certificate, key] = await Promise.all(
    [options.cafile, options.certfile, options.keyfile].map((file) => (file ? readFile(file) : null)),
  )
  const secureByDefault = Boolean(ca || certificate)
  return options.servers.map((server) => {
    const { scheme, host, address } = parseServer(server)
    if (scheme === 'http' || (!scheme && !secureByDefault))
      return { address, credentials: credentials.createInsecure() }
    if (!isIP(host)) return { address, credentials: credentials.createSsl(ca, key, certificate) }
    // A TLS handshake cannot name an IP address, which is what gRPC would have it do, so it names something else; the
    // certificate must be for the address all the same.
    const checkAddress = (_name: string, shown: Parameters<typeof checkServerIdentity>[1]) =>
      checkServerIdentity(host, shown)
    const trust = { checkServerIdentity: checkAddress }
    return { address, credentials: credentials.createSsl(ca, key, certificate, trust), serverName: 'etcd' }
  })
}

function parseServer(server: string): {
  readonly scheme: string | undefined
  readonly host: string
  readonly address: string
} {
  const match = /^(?:(https?):\/\/)?(([^/:[\]]+|\[[^\]]+\]):\d+)\/?$/.exec(server)
  if (!match)
    throw new InvalidRequestError(
      `${server} is no address of an etcd server: http://host:port or https://host:port is expected`,
    )
  return { scheme: match[1], address: match[2]!, host: match[3]!.replace(/^\[|\]$/g, '') }
}
