import { readFile } from 'node:fs/promises'
import { type ChannelCredentials, credentials } from '@grpc/grpc-js'

/** The API server's flags about etcd: each field is the flag `--etcd-…` of the same name. */
export interface EtcdOptions {
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

export interface Endpoint {
  /** `host:port`. */
  readonly address: string
  readonly credentials: ChannelCredentials
}

/** The files are read once, here: a store that is to use new certificates is opened anew. */
export async function endpointsOf(options: EtcdOptions): Promise<Endpoint[]> {
  if (options.servers.length === 0) throw new Error('no etcd server is named')
  const [ca, certificate, key] = await Promise.all(
    [options.cafile, options.certfile, options.keyfile].map((file) => (file ? readFile(file) : null)),
  )
  const plain = credentials.createInsecure()
  const secure = credentials.createSsl(ca, key, certificate)
  const secureByDefault = Boolean(ca || certificate)
  return options.servers.map((server) => {
    const { scheme, address } = parseServer(server)
    return { address, credentials: scheme === 'https' || (!scheme && secureByDefault) ? secure : plain }
  })
}

function parseServer(server: string): { readonly scheme: string | undefined; readonly address: string } {
  const match = /^(?:(https?):\/\/)?((?:[^/:[\]]+|\[[^\]]+\]):\d+)\/?$/.exec(server)
  if (!match)
    throw new Error(`${server} is no address of an etcd server: http://host:port or https://host:port is expected`)
  return { scheme: match[1], address: match[2]! }
}
