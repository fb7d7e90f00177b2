import { join } from 'node:path'
import { Client } from '../../client/client.js'
import type { ConnectionConfig } from '../../client/connection-config.js'
import { type Discover, discoverBy } from '../../client/discovery/discovery.js'
import { ResourceMapper } from '../../client/discovery/resource-mapper.js'
import { resolveConnection } from '../../client/kubeconfig/resolve.js'
import type { ClientRequest, Transport, TransportResult } from '../../client/transport.js'
import type { KubectlEnvironment } from '../environment.js'
import { connectionFlags, type GlobalValues } from '../global-flags.js'
import { type CacheFiles, discoverByDisk } from './disk-discovery.js'
import { type Dispatching, dispatching } from './dispatch.js'
import { RequestLog } from './request-log.js'
import { Rest } from './rest.js'

export interface FactoryParts {
  readonly globals: GlobalValues
  readonly isSet: (name: keyof GlobalValues) => boolean
  readonly surroundings: KubectlEnvironment
  readonly cache: CacheFiles
  /** `kubectl get`, as the server is told. */
  readonly command: string
}

export interface NamespaceChoice {
  readonly name: string
  /** Whether a flag named it. */
  readonly isGiven: boolean
}

const userAgent = 'kubectl/v1.36.0 (proa)'

/** What commands work with, each part made when it is first asked for: many commands end without a word to the server. */
export class Factory {
  readonly #parts: FactoryParts
  #connection: Promise<ConnectionConfig> | undefined
  #dispatching: Promise<Dispatching> | undefined
  #rest: Promise<Rest> | undefined
  #discover: Promise<Discover> | undefined
  #mapper: Promise<ResourceMapper> | undefined
  readonly #warned = new Set<string>()

  constructor(parts: FactoryParts) {
    this.#parts = parts
  }

  get environment(): KubectlEnvironment {
    return this.#parts.surroundings
  }

  get globals(): GlobalValues {
    return this.#parts.globals
  }

  /** How many different warnings the server has sent so far. */
  get warnings(): number {
    return this.#warned.size
  }

  connection(): Promise<ConnectionConfig> {
    const { globals, surroundings } = this.#parts
    const { machine } = surroundings
    this.#connection ??= resolveConnection(machine, {
      flags: connectionFlags(globals),
      kubeconfig: globals.kubeconfig,
      defaultServer: machine.variables.KUBERNETES_MASTER || 'http://localhost:8080',
    })
    return this.#connection
  }

  async namespace(): Promise<NamespaceChoice> {
    const { namespace } = await this.connection()
    return { name: namespace, isGiven: this.#parts.isSet('namespace') }
  }

  /** The way to the server itself: for what is more than a request. */
  dispatching(): Promise<Dispatching> {
    this.#dispatching ??= this.connection().then((connection) => {
      const { machine, clock, random } = this.#parts.surroundings
      const headers = { 'Kubectl-Command': this.#parts.command, 'Kubectl-Session': random.uuid() }
      return dispatching(connection, { machine, clock, userAgent, headers })
    })
    return this.#dispatching
  }

  rest(): Promise<Rest> {
    this.#rest ??= Promise.all([this.connection(), this.dispatching()]).then(([{ server }, { dispatch }]) => {
      const { clock, signal, pid, err } = this.#parts.surroundings
      const log = new RequestLog({ verbosity: this.globals.v, clock, pid, write: (line) => void err(line) })
      return new Rest({ server, dispatch, clock, signal, log, warn: (warning) => this.warn(warning) })
    })
    return this.#rest
  }

  /** Learns what the server serves, unless that is known already: it is read from the disk while a connection is made. */
  discover(): Promise<Discover> {
    this.#discover ??= Promise.all([this.rest(), this.dispatching()]).then(async ([rest, { begin }]) => {
      await begin()
      const { clock } = this.#parts.surroundings
      const discover = discoverBy(new Client(rawTransport(rest), { clock }))
      const folder = join(this.cacheFolder, 'discovery')
      return discoverByDisk(discover, { folder, server: rest.server, files: this.#parts.cache, clock })
    })
    return this.#discover
  }

  /** Finds resources by what people call them. */
  mapper(): Promise<ResourceMapper> {
    const warn = (warning: string) => this.warn(warning)
    this.#mapper ??= this.discover().then((discover) => new ResourceMapper(discover, { warn }))
    return this.#mapper
  }

  get cacheFolder(): string {
    const { variables, home } = this.#parts.surroundings.machine
    const given = this.globals['cache-dir']
    if (this.#parts.isSet('cache-dir')) return given
    return variables.KUBECACHEDIR || join(home, '.kube', 'cache')
  }

  /** Each warning once. */
  warn(warning: string): void {
    if (this.#warned.has(warning)) return
    this.#warned.add(warning)
    void this.#parts.surroundings.err(`Warning: ${warning}\n`)
  }

  async close(): Promise<void> {
    ;(await this.#dispatching?.catch(() => undefined))?.close()
  }
}

/** For the parts of our client that read paths, such as discovery. */
function rawTransport(rest: Rest): Transport {
  return {
    async send({ path, accept, signal }: ClientRequest): Promise<TransportResult> {
      const bytes = await rest.bytes({ path, accept, signal })
      return { response: { is: 'bytes', code: 200, contentType: 'application/json', bytes }, warnings: [] }
    },
    close() {},
  }
}
