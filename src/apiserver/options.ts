import type { Socket } from 'node:net'
import type { ControllerRole } from '../api/rbac/rule-text.js'
import type { AdmissionPlugin } from './admission/admission.js'
import type { AdmissionPluginDefinition } from './admission/definition.js'
import type { AuditOptions } from './audit/create-auditor.js'
import type { FrontProxyOptions } from './authentication/front-proxy.js'
import type { OpenIdOptions } from './authentication/open-id/authenticator.js'
import type { AuthorizationOptions } from './authorization/chain.js'
import type { FastPaths } from './fast-paths.js'
import type { InProcessComponents } from './registry/control-plane.js'
import type { ApiRequest } from './request/request-context.js'

/** Options of an API server: all flags, parsed and validated. Durations in milliseconds. */
export interface ApiServerOptions {
  /** Contains keys, certificates and, without etcd, all objects. */
  readonly dataDirectory: string
  /** Whether the data directory is deleted with the server, as in tests: then keys are not flushed to disk. */
  readonly isPassing?: boolean
  /** Whether the process may exit while the server runs. */
  readonly isBackground?: boolean
  /** Called for each connection and each request. */
  readonly traffic?: ServerTraffic
  /** 0: any free port. */
  readonly securePort: number
  readonly bindAddress: string
  /** The address that clients use. By default the first address of the host. */
  readonly advertiseAddress?: string
  readonly tls: TlsFiles
  readonly authentication: AuthenticationOptions
  readonly authorization: AuthorizationOptions
  /** The roles of the controllers, which the server creates. None by default. */
  readonly controllerRoles?: readonly ControllerRole[]
  readonly audit?: AuditOptions
  /** Without it, objects are stored in the data directory. */
  readonly etcd?: EtcdOptions
  /** The file that configures which objects are encrypted, and with which keys. */
  readonly encryptionConfig?: string
  readonly services: ServiceOptions
  readonly serviceAccounts: ServiceAccountOptions
  readonly admission: AdmissionOptions
  /** Upstream's defaults unless given. */
  readonly kubelets?: KubeletOptions
  readonly allowPrivileged: boolean
  readonly eventTtl: number
  readonly requests: RequestLimitOptions
  readonly featureGates: Readonly<Record<string, boolean>>
  /** All are on by default. */
  readonly fastPaths?: FastPaths
  /** Components of the control plane that run in this process: `componentstatuses` calls them, and probes the others over HTTP. */
  readonly components?: InProcessComponents
  /** Warnings for clients that create objects, by resource (`statefulsets.apps`). None by default. */
  readonly notices?: Readonly<Record<string, string>>
}

/** Observes the connections and requests of outside clients. */
export interface ServerTraffic {
  /** Called when a client has opened a connection. */
  connected(socket: Socket): void
  /** Called when a request has arrived. `responded` settles when its response is complete. */
  requested(request: ApiRequest, responded: Promise<void>): void
}

/** Paths of PEM files. Missing ones are created in the data directory. */
export interface TlsFiles {
  readonly certFile?: string
  readonly keyFile?: string
  readonly clientCaFile?: string
}

export interface AuthenticationOptions {
  readonly anonymous: boolean
  readonly tokenFile?: string
  readonly basicAuthFile?: string
  /** Whether nodes may join with tokens that are secrets of `kube-system`. */
  readonly bootstrapTokens?: boolean
  readonly openId?: OpenIdFlags
  readonly webhook?: TokenWebhookOptions
  readonly frontProxy?: FrontProxyFlags
}

export interface OpenIdFlags extends OpenIdOptions {
  readonly caFile?: string
}

export interface TokenWebhookOptions {
  /** A kubeconfig. */
  readonly configFile: string
  /** How long a response is cached. */
  readonly cacheTtl: number
  readonly version: 'v1' | 'v1beta1'
}

export interface FrontProxyFlags extends FrontProxyOptions {
  readonly caFile: string
}

export interface EtcdOptions {
  readonly servers: readonly string[]
  /** The prefix of all keys. */
  readonly prefix: string
  readonly caFile?: string
  readonly certFile?: string
  readonly keyFile?: string
}

/** How to connect to kubelets. */
export interface KubeletOptions {
  /** The client certificate of this server and its key. Created in the data directory unless given. */
  readonly clientCertFile?: string
  readonly clientKeyFile?: string
  /** The CA that verifies kubelets. Without it, certificates of kubelets are not verified. */
  readonly caFile?: string
  readonly preferredAddressTypes?: readonly string[]
  readonly port?: number
}

export interface ServiceOptions {
  /** One range, or one per address family, in CIDR form. */
  readonly clusterIpRanges: readonly string[]
  readonly nodePorts: PortRange
}

/** Both ends are inclusive. */
export interface PortRange {
  readonly first: number
  readonly last: number
}

export interface ServiceAccountOptions {
  /** New tokens contain the first; all are accepted. */
  readonly issuers: readonly string[]
  /** The audiences that a token must contain one of. */
  readonly audiences: readonly string[]
  /** Further keys that verify tokens, beside the signing key. */
  readonly keyFiles: readonly string[]
  readonly signingKeyFile?: string
  /** Upper bound of the lifetime of a token, in seconds. */
  readonly maxSeconds?: number
  /** Whether tokens that are mounted into pods also expire after the requested time. By default their lifetime is extended. */
  readonly isStrict?: boolean
  /** The URL of the public keys, if another server publishes them. */
  readonly keysUrl?: string
}

export interface AdmissionOptions {
  /** Names of plugins that differ from the default. */
  readonly enabled: readonly string[]
  readonly disabled: readonly string[]
  /** The available plugins; all plugins of the server by default. */
  readonly definitions?: readonly AdmissionPluginDefinition[]
  /** The file with the configuration of plugins. */
  readonly configFile?: string
  /** Default toleration of pods for nodes that are not ready or unreachable. 300 by default. */
  readonly notReadyTolerationSeconds?: number
  readonly unreachableTolerationSeconds?: number
  /** Reorders plugins. Only tests use it, to show that the order does not matter. */
  readonly arrange?: (plugins: readonly AdmissionPlugin[]) => readonly AdmissionPlugin[]
}

export interface RequestLimitOptions {
  /** Limit for requests that are not long-running. */
  readonly timeout: number
  /** Lower bound of the duration of a watch that has no timeout of its own. */
  readonly minWatchTimeout: number
  /** Upper bound of concurrent requests; 0: no limit. */
  readonly maxInFlight: number
  readonly maxMutatingInFlight: number
  /** Whether flow schemas and priority levels apply, instead of these two limits alone. */
  readonly isFair: boolean
  /** Patterns of the origins whose pages may send requests from a browser. */
  readonly origins?: readonly RegExp[]
}
