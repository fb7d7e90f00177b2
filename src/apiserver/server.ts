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
  /** A kubeconfig for the administrator, if the server made the certificates for it. */
  readonly kubeconfig: string | undefined
  /** By which clients know the server, in PEM form. */
  readonly authority: string
  /** For those in the same process who sign what the cluster hands out. They are never logged, and go nowhere. */
  readonly keys: ClusterKeys
  /** The server behind the sockets, for those in the same process. */
  readonly api: ApiServer
  /** Lets running requests end, then lets go of sockets and files. */
  close(): Promise<void>
}

export interface ClusterKeys {
  /** By which certificates are signed, as it is now. Undefined where that is somebody else's authority, or its key is kept elsewhere. */
  readonly signing: () => X509KeyPair | undefined
  /** Signs the tokens of service accounts; in PEM form. */
  readonly serviceAccountKey: string
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
    return { store, api: await openApiServer({ ...partsOf(options), ...settled }, environment) }
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

/** Tells `traffic` of each request. */
function followed(handle: RequestHandler, traffic: ServerTraffic): RequestHandler {
  return (request, respond) => {
    const answered = Promise.resolve(handle(request, respond))
    traffic.requested(request, answered)
    return answered
  }
}

/** What cannot be opened takes the sockets with it. */
async function opened<T>(server: ListeningServer, open: () => Promise<T>): Promise<T> {
  try {
    return await open()
  } catch (error) {
    await server.close(0)
    throw error
  }
}

/** What the API server takes as the options say it. */
function partsOf(options: ApiServerOptions) {
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

/** What the build wrote about itself, beside everything that it made. */
export function readBuild(): Build {
  return JSON.parse(readFileSync(new URL('../../build.json', import.meta.url), 'utf8')) as Build
}

/** Where others reach this server: as it is told, where it listens, or the machine's first address. */
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
