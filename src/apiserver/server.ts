import { readFileSync } from 'node:fs'
import { openGates } from '../api/feature-gates.js'
import { schemeWith } from '../api/scheme.js'
import type { Environment } from '../base/environment.js'
import type { Scheme } from '../schema/scheme.js'
import { ClosedError } from '../storage/errors.js'
import type { Store } from '../storage/store.js'
import type { X509KeyPair } from '../wire/x509/issuer.js'
import { loadAdmissionConfiguration } from './admission/configuration.js'
import { admissionPlugins } from './admission/registry.js'
import { type ApiServer, openApiServer } from './api-server.js'
import { createAuditor } from './audit/create-auditor.js'
import { prepareAuthentication } from './authentication/authentication.js'
import { tokenSigner, verifyingKeys } from './authentication/service-accounts/keys.js'
import { authorizerChain } from './authorization/chain.js'
import { loadEncryption } from './encryption/configuration.js'
import { EncryptedStore } from './encryption/encrypted-store.js'
import type { Build } from './extensions/version.js'
import { allFastPaths } from './fast-paths.js'
import type { ApiServerOptions, EtcdOptions, ServerTraffic } from './options.js'
import {
  kubeconfigPath,
  prepareServerCredentials,
  type RenewedCredentials,
  renewServerCredentials,
  type ServerCredentials,
  urlOf,
} from './serving/credentials/server-credentials.js'
import { EarlyRequests } from './serving/early-requests.js'
import { hostAddresses, isUnspecified } from './serving/host-addresses.js'
import type { RequestHandler } from './serving/responder.js'
import type { ListeningServer } from './serving/server.js'
import { serve } from './serving/tls-server.js'

export interface RunningApiServer {
  readonly url: string
  /** The path of the administrator's kubeconfig, if the server created the certificates for it. */
  readonly kubeconfig: string | undefined
  /** The CA by which clients verify the server, in PEM form. */
  readonly authority: string
  /** For components in this process that sign certificates and tokens. Never logged, and never sent. */
  readonly keys: ClusterKeys
  /** The server behind the sockets, for components in this process. */
  readonly api: ApiServer
  /** Waits for running requests, then releases sockets and files. */
  close(): Promise<void>
}

export interface ClusterKeys {
  /** The current key pair that signs client certificates. Undefined if the CA is not ours, or its key is not here. */
  readonly signing: () => X509KeyPair | undefined
  /** The key that signs tokens of service accounts, in PEM form. */
  readonly serviceAccountKey: string
}

/**
 * Starts an API server with its files, store and sockets. Resolves when it serves. A given `store` replaces the one that the options name,
 * and is closed with the server.
 */
export async function startApiServer(
  options: ApiServerOptions,
  environment: Environment,
  given?: Store,
): Promise<RunningApiServer> {
  const { fastPaths = allFastPaths } = options
  const scheme = schemeWith(openGates(options.featureGates), { fastDecoding: fastPaths.decoding })
  const security = prepareServerCredentials(options, environment)
  let followedSecurity: RenewedCredentials | undefined
  const current = () => followedSecurity?.current ?? security
  const serviceAccounts = serviceAccountTokens(options, security)
  const { keys } = serviceAccounts
  const authentication = await prepareAuthentication({ options, security: current, keys, environment })
  const authorizers = await authorizerChain(options.authorization, environment)
  const auditor = await createAuditor(options.audit ?? {}, environment)
  const rules = await encryptionRules(options, scheme, environment)
  const admission = await admissionParts(options)
  const early = new EarlyRequests()
  const { securePort, bindAddress, traffic, isBackground } = options
  const { upgrade } = early
  const handle = traffic ? followed(early.handle, traffic) : early.handle
  const server = await serve({
    handle,
    upgrade,
    tls: security.tls,
    port: securePort,
    address: bindAddress,
    environment,
    isBackground,
    onConnection: traffic && ((socket) => traffic.connected(socket)),
    plainHttp: fastPaths.plainHttp,
    requestBatches: fastPaths.requestBatches,
  })
  const { api, store } = await opened(server, async () => {
    const bare = given ?? (await openStore(options, environment))
    const store = rules ? new EncryptedStore(bare, rules) : bare
    const settled = {
      store,
      scheme,
      admission,
      authentication,
      auditor,
      authorizers,
      serviceAccounts,
      kubelets: { ...options.kubelets, tls: () => current().kubelets },
      port: server.port,
      sharesBytes: fastPaths.sharedBytes,
    }
    return { store, api: await openApiServer({ ...dependenciesFrom(options), ...settled }, environment) }
  })
  early.opened(api)
  followedSecurity = renewServerCredentials(security, server, options, environment)
  if (store instanceof EncryptedStore) rewriteInBackground(store, environment)
  return {
    url: urlOf(server, options),
    kubeconfig: kubeconfigPath(security, options),
    authority: security.authority,
    keys: { signing: () => current().signing, serviceAccountKey: security.serviceAccountKey },
    api,
    async close() {
      followedSecurity?.stop()
      api.endWatches()
      await server.close()
      await api.close()
      await store.close()
      await auditor?.close()
    },
  }
}

/** Reports each request to `traffic`. */
function followed(handle: RequestHandler, traffic: ServerTraffic): RequestHandler {
  return (request, respond) => {
    const responded = Promise.resolve(handle(request, respond))
    traffic.requested(request, responded)
    return responded
  }
}

/** Closes the sockets if opening the server fails. */
async function opened<T>(server: ListeningServer, open: () => Promise<T>): Promise<T> {
  try {
    return await open()
  } catch (error) {
    await server.close(0)
    throw error
  }
}

/** Returns the dependencies that follow from the options alone. */
function dependenciesFrom(options: ApiServerOptions) {
  const { allowPrivileged, services, requests, eventTtl, etcd, controllerRoles, components, notices } = options
  return {
    soleWriter: etcd === undefined,
    allowPrivileged,
    services,
    requests,
    controllerRoles,
    components,
    notices,
    eventSeconds: eventTtl / 1000,
    build: readBuild(),
    address: advertisedAddress(options),
  }
}

async function admissionParts({ admission: { configFile, ...admission } }: ApiServerOptions) {
  if (configFile === undefined) return admission
  return {
    ...admission,
    configurations: await loadAdmissionConfiguration(configFile, admission.definitions ?? admissionPlugins),
  }
}

/** Reads the version file that the build writes beside its output. */
export function readBuild(): Build {
  return JSON.parse(readFileSync(new URL('../../build.json', import.meta.url), 'utf8')) as Build
}

/** Returns the address at which clients connect: the advertised one, the bind address, or the first address of the host. */
function advertisedAddress({ advertiseAddress, bindAddress }: ApiServerOptions): string {
  if (advertiseAddress !== undefined) return advertiseAddress
  return isUnspecified(bindAddress) ? (hostAddresses()[0] ?? '127.0.0.1') : bindAddress
}

function serviceAccountTokens({ serviceAccounts }: ApiServerOptions, { serviceAccountKey }: ServerCredentials) {
  const { issuers, audiences, keyFiles, signingKeyFile, ...rest } = serviceAccounts
  const files = keyFiles.map((path) => ({ path, content: readFileSync(path, 'utf8') }))
  return {
    issuer: issuers[0] ?? '',
    audiences,
    sign: tokenSigner(serviceAccountKey),
    keys: verifyingKeys([{ path: signingKeyFile ?? 'the signing key', content: serviceAccountKey }, ...files]),
    ...rest,
  }
}

async function encryptionRules({ encryptionConfig }: ApiServerOptions, scheme: Scheme, { random }: Environment) {
  return encryptionConfig === undefined ? undefined : loadEncryption(encryptionConfig, { scheme, random })
}

/** Values that are not rewritten yet stay readable, so that the start of the server need not wait. */
function rewriteInBackground(store: EncryptedStore, { log }: Environment): void {
  store.rewriteOutdated().then(
    (count) => count > 0 && log.info('stored objects re-encrypted', { count }),
    (error: unknown) => error instanceof ClosedError || log.error('re-encryption of stored objects failed', { error }),
  )
}

/** Imports only the store that the options name: the libraries of each are large. */
async function openStore(options: ApiServerOptions, environment: Environment): Promise<Store> {
  if (options.etcd) return openEtcd(options.etcd, environment)
  const { openEmbeddedStore, storeDirectory } = await import('../storage/embedded/embedded-store.js')
  return openEmbeddedStore({ directory: storeDirectory(options.dataDirectory), environment })
}

/** The store puts `/registry` before its keys. Another prefix stands before that. */
const storePrefix = '/registry'

async function openEtcd(options: EtcdOptions, environment: Environment): Promise<Store> {
  const { openEtcdStore } = await import('../storage/etcd/etcd-store.js')
  const { servers, prefix, caFile, certFile, keyFile } = options
  return openEtcdStore(
    {
      servers,
      prefix: prefix === storePrefix ? '' : prefix,
      ...(caFile !== undefined && { cafile: caFile }),
      ...(certFile !== undefined && { certfile: certFile }),
      ...(keyFile !== undefined && { keyfile: keyFile }),
    },
    environment,
  )
}
