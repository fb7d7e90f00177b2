import { join } from 'node:path'
import { silentLogger } from '../../base/logging.js'
import { Client } from '../../client/client.js'
import { connect } from '../../client/connect.js'
import type { ConnectionConfig } from '../../client/connection-config.js'
import { type Discover, discoverBy } from '../../client/discovery/discovery.js'
import { ResourceMapper } from '../../client/discovery/resource-mapper.js'
import type { HttpsTransport } from '../../client/https/https-transport.js'
import { resolveConnection } from '../../client/kubeconfig/resolve.js'
import type { ClientRequest, Transport, TransportResult } from '../../client/transport.js'
import type { KubectlEnvironment } from '../environment.js'
import { connectionFlags, type GlobalValues } from '../global-flags.js'
import { type CacheFiles, discoverByDisk } from './disk-discovery.js'
import { RequestLog } from './request-log.js'
import { Rest } from './rest.js'

export interface FactoryOptions {
  readonly globals: GlobalValues
  readonly isSet: (name: keyof GlobalValues) => boolean
  readonly environment: KubectlEnvironment
  readonly cache: CacheFiles
  /** `kubectl get`, for the server's audit log. */
  readonly command: string
}

export interface NamespaceChoice {
  readonly name: string
  /** Whether a flag named it. */
  readonly isGiven: boolean
}

const userAgent = 'kubectl/v1.36.0 (proa)'

/** What commands work with. Each member is created on first use: many commands end without a request to the server. */
export class Factory {
  readonly #options: FactoryOptions
  #connection: Promise<ConnectionConfig> | undefined
  #transport: Promise<HttpsTransport> | undefined
  #rest: Promise<Rest> | undefined
  #discover: Promise<Discover> | undefined
  #mapper: Promise<ResourceMapper> | undefined
  readonly #warned = new Set<string>()

  constructor(options: FactoryOptions) {
    this.#options = options
  }

  get environment(): KubectlEnvironment {
    return this.#options.environment
  }

  get globals(): GlobalValues {
    return this.#options.globals
  }

  /** The number of different warnings of the server so far. */
  get warnings(): number {
    return this.#warned.size
  }

  connection(): Promise<ConnectionConfig> {
    const { globals, environment } = this.#options
    const { host } = environment
    this.#connection ??= resolveConnection(host, {
      flags: connectionFlags(globals),
      kubeconfig: globals.kubeconfig,
      defaultServer: host.variables.KUBERNETES_MASTER || 'http://localhost:8080',
    })
    return this.#connection
  }

  async namespace(): Promise<NamespaceChoice> {
    const { namespace } = await this.connection()
    return { name: namespace, isGiven: this.#options.isSet('namespace') }
  }

  /** The transport of the client library, for what is more than a request in terms of JSON. */
  transport(): Promise<HttpsTransport> {
    this.#transport ??= this.connection().then((connection) => {
      const { host, clock, random } = this.#options.environment
      const headers = { 'Kubectl-Command': this.#options.command, 'Kubectl-Session': random.uuid() }
      return connect(connection, { host, environment: { clock, log: silentLogger }, userAgent, headers })
    })
    return this.#transport
  }

  rest(): Promise<Rest> {
    this.#rest ??= Promise.all([this.connection(), this.transport()]).then(([{ server, timeout }, { connection }]) => {
      const { clock, signal, pid, err } = this.#options.environment
      const log = new RequestLog({ verbosity: this.globals.v, clock, pid, write: (line) => void err(line) })
      return new Rest({ server, connection, clock, signal, log, timeout, warn: (warning) => this.warn(warning) })
    })
    return this.#rest
  }

  /** Discovers what the server serves, from the cache on disk if possible. A connection is opened at the same time. */
  discover(): Promise<Discover> {
    this.#discover ??= this.rest().then(async (rest) => {
      await this.#preconnect()
      const { clock } = this.#options.environment
      const discover = discoverBy(new Client(rawTransport(rest), { clock }))
      const folder = join(this.cacheFolder, 'discovery')
      return discoverByDisk(discover, { folder, server: rest.server, files: this.#options.cache, clock })
    })
    return this.#discover
  }

  /** Finds resources by the names that users type. */
  mapper(): Promise<ResourceMapper> {
    const warn = (warning: string) => this.warn(warning)
    this.#mapper ??= this.discover().then((discover) => new ResourceMapper(discover, { warn }))
    return this.#mapper
  }

  /** Does nothing if a plugin provides the credentials: it is run once, and for a request. */
  async #preconnect(): Promise<void> {
    const { user } = await this.connection()
    if (!user.exec && !user['auth-provider']) await (await this.transport()).connection.preconnect()
  }

  get cacheFolder(): string {
    const { variables, home } = this.#options.environment.host
    const given = this.globals['cache-dir']
    if (this.#options.isSet('cache-dir')) return given
    return variables.KUBECACHEDIR || join(home, '.kube', 'cache')
  }

  /** Prints each warning once. */
  warn(warning: string): void {
    if (this.#warned.has(warning)) return
    this.#warned.add(warning)
    void this.#options.environment.err(`Warning: ${warning}\n`)
  }

  async close(): Promise<void> {
    ;(await this.#transport?.catch(() => undefined))?.close()
  }
}

/** A transport for discovery, whose requests are logged like all others. */
function rawTransport(rest: Rest): Transport {
  return {
    async send({ path, accept, signal }: ClientRequest): Promise<TransportResult> {
      const bytes = await rest.bytes({ path, accept, signal })
      return { response: { is: 'bytes', code: 200, contentType: 'application/json', bytes }, warnings: [] }
    },
    close() {},
  }
}
