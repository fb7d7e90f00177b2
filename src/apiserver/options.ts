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

/** How an API server runs: everything that flags can say, read and checked. Lengths of time in milliseconds. */
export interface ApiServerOptions {
  /** Keys, certificates and, without etcd, all objects. */
  readonly dataDirectory: string
  /** Whether the data directory is gone when the server is, as in tests: keys are not flushed to the disk then. */
  readonly isPassing?: boolean
  /** Whether the server leaves the process free to exit. */
  readonly isBackground?: boolean
  /** Is told of connections and of the requests on them. Nobody unless given. */
  readonly traffic?: ServerTraffic
  /** 0: any that is free. */
  readonly securePort: number
  readonly bindAddress: string
  /** Under which others reach this server. Without it: the machine's first address. */
  readonly advertiseAddress?: string
  readonly tls: TlsFiles
  readonly authentication: AuthenticationOptions
  readonly authorization: AuthorizationOptions
  /** What the controllers of the controller manager may do: the server creates their roles. None unless given. */
  readonly controllerRoles?: readonly ControllerRole[]
  readonly audit?: AuditOptions
  /** Without it, objects are kept in the data directory. */
  readonly etcd?: EtcdOptions
  /** A file that says which objects are stored encrypted, and by which keys. */
  readonly encryptionConfig?: string
  readonly services: ServiceOptions
  readonly serviceAccounts: ServiceAccountOptions
  readonly admission: AdmissionOptions
  /** As upstream has it unless told. */
  readonly kubelets?: KubeletOptions
  readonly allowPrivileged: boolean
  readonly eventTtl: number
  readonly requests: RequestLimitOptions
  readonly featureGates: Readonly<Record<string, boolean>>
  /** All are on by default. */
  readonly fastPaths?: FastPaths
  /** Components of the control plane that run in this process: `componentstatuses` asks them, and probes the others. */
  readonly components?: InProcessComponents
  /** What creators of objects are warned of, by resource (`statefulsets.apps`): nothing unless told. */
  readonly notices?: Readonly<Record<string, string>>
}

/** Follows what outside clients do with a server. */
export interface ServerTraffic {
  /** A client has opened a connection. */
  connected(socket: Socket): void
  /** A request has come over a connection. `answered` resolves or rejects when its response is complete. */
  requested(request: ApiRequest, answered: Promise<void>): void
}

/** Paths of files in PEM form. What is not given is made in the data directory. */
export interface TlsFiles {
  readonly certFile?: string
  readonly keyFile?: string
  readonly clientCaFile?: string
}

export interface AuthenticationOptions {
  readonly anonymous: boolean
  readonly tokenFile?: string
  readonly basicAuthFile?: string
  /** Tokens in secrets of `kube-system`, by which nodes join. */
  readonly bootstrapTokens?: boolean
  readonly openId?: OpenIdFlags
  readonly webhook?: TokenWebhookOptions
  readonly frontProxy?: FrontProxyFlags
}

export interface OpenIdFlags extends OpenIdOptions {
  readonly caFile?: string
}

export interface TokenWebhookOptions {
  /** In the form of a kubeconfig. */
  readonly configFile: string
  /** How long an answer counts. */
  readonly cacheTtl: number
  readonly version: 'v1' | 'v1beta1'
}

export interface FrontProxyFlags extends FrontProxyOptions {
  readonly caFile: string
}

export interface EtcdOptions {
  readonly servers: readonly string[]
  /** All keys begin with it. */
  readonly prefix: string
  readonly caFile?: string
  readonly certFile?: string
  readonly keyFile?: string
}

/** How kubelets are reached. */
export interface KubeletOptions {
  /** The certificate that this server shows to them, and its key; made in the data directory unless given. */
  readonly clientCertFile?: string
  readonly clientKeyFile?: string
  /** By which they are known; without it, any of them is believed. */
  readonly caFile?: string
  readonly preferredAddressTypes?: readonly string[]
  readonly port?: number
}

export interface ServiceOptions {
  /** One, or one of each family; in CIDR form. */
  readonly clusterIpRanges: readonly string[]
  readonly nodePorts: PortRange
}

/** Both ends belong to it. */
export interface PortRange {
  readonly first: number
  readonly last: number
}

export interface ServiceAccountOptions {
  /** The first one is written into new tokens; all are accepted. */
  readonly issuers: readonly string[]
  /** Whom tokens must be meant for. */
  readonly audiences: readonly string[]
  /** Keys by which tokens are verified, beside the one that signs. */
  readonly keyFiles: readonly string[]
  readonly signingKeyFile?: string
  /** No token lasts longer, in seconds. */
  readonly maxSeconds?: number
  /** Also tokens that pods find mounted last no longer than they were asked for. */
  readonly isStrict?: boolean
  /** Where others find the keys, if not at this server. */
  readonly keysUrl?: string
}

export interface AdmissionOptions {
  /** Names of plugins that deviate from what is on by default. */
  readonly enabled: readonly string[]
  readonly disabled: readonly string[]
  /** The plugins to choose from; all plugins of the server unless given. */
  readonly definitions?: readonly AdmissionPluginDefinition[]
  /** A file that says what plugins are told. */
  readonly configFile?: string
  /** How long a pod stays on a node that is lost, if it does not say so itself; 300 unless told. */
  readonly notReadyTolerationSeconds?: number
  readonly unreachableTolerationSeconds?: number
  /** Puts plugins into another order than that of upstream. No flag does: it is how tests show that the order does not matter. */
  readonly arrange?: (plugins: readonly AdmissionPlugin[]) => readonly AdmissionPlugin[]
}

export interface RequestLimitOptions {
  /** For requests that are no watches and the like. */
  readonly timeout: number
  /** The least time that a watch without a timeout of its own is kept open. */
  readonly minWatchTimeout: number
  /** At the same time; 0: no limit. */
  readonly maxInFlight: number
  readonly maxMutatingInFlight: number
  /** By flow schemas and priority levels, and not by these two limits alone. */
  readonly isFair: boolean
  /** Of pages that may make requests from a browser. */
  readonly origins?: readonly RegExp[]
}
