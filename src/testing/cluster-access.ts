import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Environment } from '../base/environment.js'
import { Client } from '../client/client.js'
import { type InProcessUser, inProcessTransport } from '../client/in-process.js'
import type { Transport, TransportResult } from '../client/transport.js'
import { holdProcess } from './process-hold.js'
import type { TestApiServer } from './servers/api-server.js'

/** Somebody who uses a cluster: a user, or a service account. */
export type ClusterUser =
  | {
      readonly user: string
      /** Besides `system:authenticated`, to which every user belongs. */
      readonly groups?: readonly string[]
    }
  | {
      readonly serviceAccount: string
      /** By default the cluster's. */
      readonly namespace?: string
    }

/** A cluster as one user reaches it, with the rights of that user. */
export interface ClusterAccess {
  /** A client without sockets. */
  readonly client: Client
  /** Carries the requests of other clients and of informers, without sockets. */
  readonly transport: Transport
  /** The cluster's clock, and its source of chance. */
  readonly environment: Environment
  /** The path of a kubeconfig, for programs and for clients of other libraries. */
  readonly kubeconfig: string
}

export interface AccessOptions {
  readonly server: TestApiServer
  readonly user: InProcessUser
  /** Where kubeconfigs go. */
  readonly folder: string
  readonly isClosed: () => boolean
}

/** Gives access to one user. Makes everything when it is first used. */
export class UserAccess implements ClusterAccess {
  readonly transport: Transport
  readonly client: Client
  readonly #options: AccessOptions
  #kubeconfig: string | undefined

  constructor(options: AccessOptions) {
    const { server, user, isClosed } = options
    this.#options = options
    this.transport = untilClosed(inProcessTransport({ handle: server.api.handleInProcess, user }), isClosed)
    this.client = new Client(holdingProcess(this.transport), { clock: server.environment.clock })
  }

  get environment(): Environment {
    return this.#options.server.environment
  }

  get kubeconfig(): string {
    this.#kubeconfig ??= writeKubeconfig(this.#options)
    return this.#kubeconfig
  }

  close(): void {
    this.transport.close()
  }
}

/** The user as the API server sees it. */
export function inProcessUser(who: ClusterUser, namespace: string): InProcessUser {
  const anonymous = { uid: '', extra: {} }
  if (typeof who === 'object' && who !== null && 'serviceAccount' in who) {
    const { serviceAccount, namespace: own = namespace } = who
    const groups = ['system:serviceaccounts', `system:serviceaccounts:${own}`, 'system:authenticated']
    return { ...anonymous, name: `system:serviceaccount:${own}:${serviceAccount}`, groups }
  }
  if (typeof who !== 'object' || who === null || typeof who.user !== 'string' || who.user === '')
    throw new TypeError(
      `as(${JSON.stringify(who)}) names nobody: write as({ user: 'jane', groups: ['team'] }) or as({ serviceAccount: 'operator' })`,
    )
  return { ...anonymous, name: who.user, groups: [...(who.groups ?? []), 'system:authenticated'] }
}

/** The administrator's token, and the name of the user whom the administrator impersonates. */
function writeKubeconfig({ server, user, folder }: AccessOptions): string {
  const path = join(folder, `${encodeURIComponent(user.name).slice(0, 200)}.kubeconfig`)
  const groups = user.groups.filter((group) => group !== 'system:authenticated')
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'proa',
    clusters: [
      {
        name: 'proa',
        cluster: {
          server: server.url,
          'certificate-authority-data': Buffer.from(server.authority).toString('base64'),
        },
      },
    ],
    users: [{ name: user.name, user: { token: server.token, as: user.name, 'as-groups': groups } }],
    contexts: [{ name: 'proa', context: { cluster: 'proa', user: user.name } }],
  }
  writeFileSync(path, `${JSON.stringify(config, null, 2)}\n`, { mode: 0o600 })
  return path
}

export const closedMessage = 'the cluster is closed: call close() after everything else, or start another cluster'

function untilClosed(transport: Transport, isClosed: () => boolean): Transport {
  return {
    ...transport,
    send: (request) => (isClosed() ? Promise.reject(new Error(closedMessage)) : transport.send(request)),
  }
}

/** In milliseconds of real time: a watch that nobody ends must not keep the process alive for ever. */
const longestHold = 60_000

/** The process does not end while somebody awaits a response, or the next event of a watch. */
function holdingProcess(transport: Transport): Transport {
  return { ...transport, send: (request) => holdProcess(transport.send(request), longestHold).then(holdingWatch) }
}

function holdingWatch(result: TransportResult): TransportResult {
  const { response } = result
  if (response.is !== 'watch') return result
  const source = response.events[Symbol.asyncIterator]()
  const events = {
    [Symbol.asyncIterator]: () => ({
      next: () => holdProcess(source.next(), longestHold),
      return: async () => (await source.return?.()) ?? { done: true as const, value: undefined },
    }),
  }
  return { ...result, response: { ...response, events } }
}
