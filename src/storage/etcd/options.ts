import { readFile } from 'node:fs/promises'
import { isIP } from 'node:net'
import { checkServerIdentity } from 'node:tls'
import { type ChannelCredentials, credentials } from '@grpc/grpc-js'
import { InvalidRequestError } from '../errors.js'

/** The flags of the API server for etcd: each of the first five is the flag `--etcd-…` of the same name. */
export interface EtcdStoreOptions {
  /** Addresses of the members: `http://host:port`, `https://host:port`, or `host:port`. */
  readonly servers: readonly string[]
  /** PEM files of the CA and the client certificate. If one is given, an address without a scheme uses TLS. */
  readonly cafile?: string
  readonly certfile?: string
  readonly keyfile?: string
  /** All keys are under this prefix. `/registry` by default; `''` for none. */
  readonly prefix?: string
  /** A call without a response after this many milliseconds rejects with `UnavailableError`. 5,000 by default. */
  readonly timeout?: number
  /** A member that is silent for this many milliseconds is probed. 1,000 by default. */
  readonly heartbeat?: number
  /** Upper bound of the memory for events that a slow watcher has not read. 4 MiB by default. */
  readonly watchBufferBytes?: number
}

export interface EtcdEndpoint {
  /** `host:port`. */
  readonly address: string
  readonly credentials: ChannelCredentials
  /** The server name of the TLS handshake, if it is not the host. */
  readonly serverName?: string
}

/** Reads the files once: to use new certificates, open the store again. */
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
    // A TLS handshake cannot name an IP address, as gRPC would, so it names something else. The certificate must still be valid for the
    // address.
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
