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
  /** Default: `memory`. Nothing outlives the server, and no write waits for a disk. */
  readonly storage?: 'memory' | 'disk'
  /** An existing store instead of a new one. It is closed with the server. */
  readonly store?: Store
  readonly allowPrivileged?: boolean
  /** Default: `10.96.0.0/16`. */
  readonly serviceRange?: string
  /** Further tokens, as lines of a token file: `token,user,uid,"group1,group2"`. */
  readonly tokens?: readonly string[]
  readonly environment?: Environment
  /** Any further options of an API server. */
  readonly options?: Partial<ApiServerOptions>
}

/** What a client needs to connect. */
export interface ApiServerAccess {
  /** `https://127.0.0.1:34567` */
  readonly url: string
  /** The token of an administrator. */
  readonly token: string
  /** The certificate authority of the server, in PEM form. */
  readonly authority: string
  /** The path of a kubeconfig of an administrator. */
  readonly kubeconfig: string
}

export interface TestApiServer extends ApiServerAccess, AsyncDisposable {
  /** The server behind the sockets. */
  readonly api: ApiServer
  readonly environment: Environment
  readonly keys: ClusterKeys
  /** Stops the server and removes its files. */
  close(): Promise<void>
}

/** Starts a real API server in this process, with its own port and folder. Resolves when it serves. */
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
  const kubeconfig = server.kubeconfig ?? '' // absent if the options contain certificates
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
