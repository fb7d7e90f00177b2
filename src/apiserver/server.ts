import type { Environment } from '../base/environment.js'
import { openEmbeddedStore, storeDirectory } from '../storage/embedded/embedded-store.js'
import type { Store } from '../storage/store.js'
import { type ApiServer, openApiServer } from './api-server.js'
import { authenticatorChain } from './authentication/chain.js'
import { loadTokenFile } from './authentication/token-file.js'
import { authorizerChain } from './authorization/chain.js'
import { openEtcd } from './etcd-files.js'
import type { ApiServerOptions } from './options.js'
import { tokenSigner } from './registry/service-accounts/signed-token.js'
import { followSecurity, kubeconfigPath, prepareSecurity, urlOf } from './serving/security.js'
import { serve } from './serving/serve.js'

export interface RunningApiServer {
  readonly url: string
  /** A kubeconfig for the administrator, if the server made the certificates for it. */
  readonly kubeconfig: string | undefined
  /** By which clients know the server, in PEM form. */
  readonly authority: string
  /** The server behind the sockets, for those in the same process. */
  readonly api: ApiServer
  /** Lets running requests end, then lets go of sockets and files. */
  close(): Promise<void>
}

/**
 * Starts an API server as the options say: files, store, sockets. Resolves when it serves. A store that is given takes the place
 * of the one that the options name, and is closed with the server.
 */
export async function startApiServer(
  options: ApiServerOptions,
  environment: Environment,
  given?: Store,
): Promise<RunningApiServer> {
  const security = prepareSecurity(options, environment)
  const store = given ?? (await openStore(options, environment))
  const { tokenFile, anonymous } = options.authentication
  const { audiences, issuers } = options.serviceAccounts
  const [issuer] = issuers
  const tokens = tokenFile === undefined ? [] : [loadTokenFile(tokenFile)]
  const api = await openApiServer(
    {
      store,
      soleWriter: options.etcd === undefined,
      authenticators: authenticatorChain({ clock: environment.clock, anonymous, tokens }),
      authorizers: authorizerChain(options.authorizationModes),
      admission: options.admission,
      allowPrivileged: options.allowPrivileged,
      services: options.services,
      serviceAccounts: { issuer: issuer ?? '', audiences, sign: tokenSigner(security.serviceAccountKey) },
      eventSeconds: options.eventTtl / 1000,
      address: options.advertiseAddress ?? '127.0.0.1',
      port: options.securePort,
    },
    environment,
  )
  const { securePort: port, bindAddress: address } = options
  const { handle, upgrade } = api
  const server = await serve({ handle, upgrade, tls: security.tls, port, address, environment })
  const unfollow = followSecurity(security, server, options, environment)
  return {
    url: urlOf(server, options),
    kubeconfig: kubeconfigPath(security, options),
    authority: security.authority,
    api,
    async close() {
      unfollow()
      api.endWatches()
      await server.close()
      await api.close()
      await store.close()
    },
  }
}

function openStore(options: ApiServerOptions, environment: Environment): Promise<Store> {
  if (options.etcd) return openEtcd(options.etcd, environment)
  return openEmbeddedStore({ directory: storeDirectory(options.dataDirectory), environment })
}
