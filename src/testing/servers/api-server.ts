import type { ApiServer } from '../../apiserver/api-server.js'
import { parseFastPaths } from '../../apiserver/fast-paths.js'
import type { ApiServerOptions } from '../../apiserver/options.js'
import { type ClusterKeys, startApiServer } from '../../apiserver/server.js'
import { type Environment, environment as realEnvironment } from '../../base/environment.js'
import { controllerRoles } from '../../controllers/catalogue.js'
import { MemoryStore } from '../../storage/memory/memory-store.js'
import type { Store } from '../../storage/store.js'
import { removeFolder } from '../temporary-folders.js'
import { clusterKeyCache } from './cluster-key-cache.js'
import { adminToken, createServerFolder, type ServerFolder } from './server-folder.js'

export { controllerRoles } from '../../controllers/catalogue.js'
export { adminToken } from './server-folder.js'

export interface TestApiServerOptions {
  /** Memory unless told: nothing outlives the server, and nothing waits for a disk. */
  readonly storage?: 'memory' | 'disk'
  /** One that is there already, in place of a new one. It is closed with the server. */
  readonly store?: Store
  readonly allowPrivileged?: boolean
  /** `10.96.0.0/16` unless told. */
  readonly serviceRange?: string
  /** Further tokens, as lines of a token file: `token,user,uid,"group1,group2"`. */
  readonly tokens?: readonly string[]
  readonly environment?: Environment
  /** Anything else that an API server can be told. */
  readonly options?: Partial<ApiServerOptions>
}

/** What a client needs to get in. */
export interface ApiServerAccess {
  /** `https://127.0.0.1:34567` */
  readonly url: string
  /** Of an administrator. */
  readonly token: string
  /** By which the server is known, in PEM form. */
  readonly authority: string
  /** The path of a kubeconfig of an administrator. */
  readonly kubeconfig: string
}

export interface TestApiServer extends ApiServerAccess, AsyncDisposable {
  /** The server behind the sockets. */
  readonly api: ApiServer
  readonly environment: Environment
  readonly keys: ClusterKeys
  /** Stops it, and removes all that it left behind. */
  close(): Promise<void>
}

/** A real API server in this process, on a port of its own and in a folder of its own. Resolves when it serves. */
export async function startTestApiServer(given: TestApiServerOptions = {}): Promise<TestApiServer> {
  const { storage = 'memory', environment = realEnvironment() } = given
  const folder = createServerFolder({ tokens: given.tokens })
  const store = given.store ?? (storage === 'memory' ? new MemoryStore({ environment }) : undefined)
  const options = optionsOf(given, folder)
  const keys = clusterKeyCache(environment.clock)
  keys.copyTo(folder.path)
  const server = await startApiServer(options, environment, store).catch((error: unknown) => {
    removeFolder(folder.path)
    throw error
  })
  keys.addFrom(folder.path)
  const close = async () => {
    await server.close()
    removeFolder(folder.path)
  }
  const { url, authority, api } = server
  const kubeconfig = server.kubeconfig ?? '' // options that hand in certificates bring a kubeconfig of their own
  return {
    url,
    token: adminToken,
    authority,
    kubeconfig,
    api,
    keys: server.keys,
    environment,
    close,
    [Symbol.asyncDispose]: close,
  }
}

const hour = 3_600_000
const minute = 60_000

function optionsOf(given: TestApiServerOptions, folder: ServerFolder): ApiServerOptions {
  const { allowPrivileged = false, serviceRange = '10.96.0.0/16', options } = given
  return {
    dataDirectory: folder.path,
    isPassing: true,
    securePort: 0,
    bindAddress: '127.0.0.1',
    tls: {},
    authentication: { anonymous: true, tokenFile: folder.tokenFile },
    authorization: { modes: ['Node', 'RBAC'] },
    controllerRoles,
    services: { clusterIpRanges: [serviceRange], nodePorts: { first: 30_000, last: 32_767 } },
    serviceAccounts: { issuers: [issuer], audiences: [issuer], keyFiles: [] },
    admission: { enabled: [], disabled: [] },
    allowPrivileged,
    eventTtl: hour,
    requests: {
      timeout: minute,
      minWatchTimeout: 30 * minute,
      maxInFlight: 400,
      maxMutatingInFlight: 200,
      isFair: true,
    },
    featureGates: {},
    ...(process.env.PROA_TEST_FAST_PATHS && { fastPaths: parseFastPaths(process.env.PROA_TEST_FAST_PATHS.split(',')) }),
    ...options,
  }
}

const issuer = 'https://kubernetes.default.svc'
