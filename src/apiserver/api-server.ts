import type { ControllerRole } from '../api/rbac/rule-text.js'
import type { Environment } from '../base/environment.js'
import type { Scheme } from '../schema/scheme.js'
import type { Store } from '../storage/store.js'
import { Admission } from './admission/admission.js'
import { type AdmissionPluginOptions, createAdmissionPlugins } from './admission/registry.js'
import type { Auditor } from './audit/auditor.js'
import type { RequestAuthentication } from './authentication/authentication.js'
import { credentialObjects, type LabelledCredentialObjects } from './authentication/credential-objects.js'
import type { VerifyingKey } from './authentication/jwt/verify.js'
import { issuerDiscovery } from './authentication/service-accounts/issuer-discovery.js'
import type { SignClaims } from './authentication/service-accounts/keys.js'
import type { AuthorizationAttributes, Authorizer } from './authorization/authorizer.js'
import { bootstrapRoles } from './authorization/rbac/bootstrap-roles.js'
import { escalationCheck } from './authorization/rbac/escalation.js'
import { RbacAuthorizer } from './authorization/rbac/rbac-authorizer.js'
import { runAuthorizers } from './authorization/stage.js'
import { repeatedBootstrap } from './bootstrap/bootstrap.js'
import { correctService } from './bootstrap/endpoints.js'
import { ensure } from './bootstrap/ensure.js'
import { failedInitializations } from './bootstrap/failed-initializations.js'
import { namespaceNamed } from './bootstrap/namespaces.js'
import { startPeriodicTasks } from './bootstrap/periodic-tasks.js'
import { openObjectStore } from './cache/cached-object-store.js'
import type { ObjectStore } from './cache/object-store.js'
import { extensions } from './extensions/extensions.js'
import { Health, type ServerHealthCheck } from './extensions/health.js'
import { OpenapiEndpoint } from './extensions/openapi-endpoint.js'
import { type Build, gitVersion } from './extensions/version.js'
import { inFlightStage } from './flow-control/in-flight.js'
import { FlowLevels } from './flow-control/levels.js'
import { describeLevels, flowControlStage } from './flow-control/stage.js'
import { countObjects, measuredStore } from './measured-store.js'
import type { AdmissionOptions, RequestLimitOptions, ServiceOptions } from './options.js'
import { pipeline } from './pipeline.js'
import { accessReviewHandlers } from './registry/access-reviews.js'
import { controlPlane, type InProcessComponents } from './registry/control-plane.js'
import { type KubeletAddressOptions, KubeletClient, type KubeletTls } from './registry/nodes/kubelet-client.js'
import { kubeletForwarder } from './registry/nodes/kubelet-forwarder.js'
import { registryHandlers, registryHooks } from './registry/registry.js'
import { ResourceMap } from './registry/resource-map.js'
import { repairReservations } from './registry/services/repair.js'
import { Deadlines } from './request/deadlines.js'
import type { PipelineStage } from './request/request-context.js'
import { RequestMetrics } from './request/request-metrics.js'
import type { RoutingTable } from './request/routing.js'
import { objectEncoder } from './response/object-encoder.js'
import { httpHandler } from './response/send-response.js'
import { InProcessEndpoint } from './serving/in-process.js'
import type { RequestHandler } from './serving/responder.js'
import { Upgrades } from './serving/upgrades.js'
import { Timestamps, type VerbDependencies } from './verbs/verb-scope.js'

export interface ApiServerDependencies {
  readonly store: Store
  /** The kinds that are served: all declared kinds whose feature gates are open. */
  readonly scheme: Scheme
  /** Whether no other server writes to the store. */
  readonly soleWriter: boolean
  /** Creates the authenticators. Some of them read objects of the cluster. */
  readonly authentication: (objects: LabelledCredentialObjects) => RequestAuthentication
  /** Writes the audit log. */
  readonly auditor?: Auditor | undefined
  /** Creates the authorizers. Some of them read objects of the cluster. */
  readonly authorizers: (resources: ResourceMap, rbac: RbacAuthorizer) => readonly Authorizer[]
  /** The roles of the controllers, which the server creates. None by default. */
  readonly controllerRoles?: readonly ControllerRole[] | undefined
  /** Names of plugins that are turned on or off, and their configuration. */
  readonly admission: Omit<AdmissionOptions, 'configFile'> &
    Pick<AdmissionPluginOptions, 'configurations' | 'resolveService'>
  readonly allowPrivileged: boolean
  readonly requests: RequestLimits
  readonly services: ServiceOptions
  readonly serviceAccounts: ServiceAccountTokens
  /** How to connect to kubelets. By default as upstream does, without a client certificate. */
  readonly kubelets?: KubeletAddressOptions & { readonly tls: () => KubeletTls }
  /** Components of the control plane that run in this process. */
  readonly components?: InProcessComponents | undefined
  /** Warnings for clients that create objects, by resource: `statefulsets.apps`. */
  readonly notices?: Readonly<Record<string, string>> | undefined
  /** Lifetime of events, in seconds. */
  readonly eventSeconds: number
  /** The content of `/version`. */
  readonly build: Build
  /** The address at which clients connect to this server. */
  readonly address: string
  readonly port: number
  /** Whether responses share the bytes of objects; a fast path, on by default. */
  readonly sharesBytes?: boolean
}

/** Limits of the number and duration of requests. */
export type RequestLimits = Pick<
  RequestLimitOptions,
  'maxInFlight' | 'maxMutatingInFlight' | 'isFair' | 'timeout' | 'origins'
>

/** How this server issues tokens of service accounts. */
export interface ServiceAccountTokens {
  readonly issuer: string
  readonly audiences: readonly string[]
  readonly sign: SignClaims
  /** Upper bound of the lifetime of a token, in seconds. */
  readonly maxSeconds?: number
  /** Whether tokens that are mounted into pods also expire after the requested time. By default their lifetime is extended. */
  readonly isStrict?: boolean
  /** The keys that verify tokens. */
  readonly keys: readonly VerifyingKey[]
  /** The URL of the public keys, if another server publishes them. */
  readonly keysUrl?: string
}

/** The API server without its sockets: its objects, and its request handlers. */
export interface ApiServer {
  readonly stages: readonly PipelineStage[]
  readonly handle: RequestHandler
  /** Handles requests of components in this process, without sockets and encoding. */
  readonly handleInProcess: InProcessEndpoint['handle']
  /** Handles requests that upgrade to another protocol. */
  readonly upgrade: Upgrades['handle']
  readonly objects: ObjectStore
  /** Ends all watches, so that their clients connect to another server before the sockets close. */
  endWatches(): void
  close(): Promise<void>
}

export async function openApiServer(dependencies: ApiServerDependencies, environment: Environment): Promise<ApiServer> {
  const store = measuredStore(dependencies.store, environment)
  const objects = await openObjectStore(store, environment, { soleWriter: dependencies.soleWriter })
  const { scheme, services, eventSeconds } = dependencies
  const hooks = registryHooks({ store: objects, environment, ...services, eventSeconds })
  const resources = new ResourceMap(scheme, objects, hooks)
  countObjects(resources, environment)
  const rbac = new RbacAuthorizer(resources)
  const authorizers = dependencies.authorizers(resources, rbac)
  const closing = new AbortController()
  const components = { objects, resources, rbac, authorizers, closing: closing.signal }
  const server = verbDependencies(dependencies, environment, components)
  const stopTasks = await prepareCluster(dependencies, resources, server)
  const deadlines = new Deadlines(environment.clock, dependencies.requests.timeout)
  const stages = stagesOf(dependencies, resources, { server, authorizers, deadlines })
  const encoder = objectEncoder(dependencies.sharesBytes ?? true)
  const handling = { stages, environment, metrics: new RequestMetrics(environment), deadlines, encoder }
  const { handle, endWatches } = httpHandler(handling)
  const inProcess = new InProcessEndpoint(handling)
  const upgrades = new Upgrades(handling)
  return {
    stages,
    handle,
    handleInProcess: inProcess.handle,
    upgrade: upgrades.handle,
    objects,
    endWatches() {
      closing.abort()
      endWatches()
      upgrades.endWatches()
      inProcess.endWatches()
    },
    close() {
      stopTasks()
      return objects.close()
    },
  }
}

interface ServerComponents {
  readonly objects: ObjectStore
  readonly resources: ResourceMap
  readonly rbac: RbacAuthorizer
  readonly authorizers: readonly Authorizer[]
  readonly closing: AbortSignal
}

function verbDependencies(
  { admission, allowPrivileged, scheme, notices = {} }: ApiServerDependencies,
  environment: Environment,
  { objects, resources, rbac, authorizers, closing }: ServerComponents,
): VerbDependencies {
  const mayUser = (attributes: AuthorizationAttributes) => isAllowed(authorizers, attributes)
  const authorize = (attributes: AuthorizationAttributes) => runAuthorizers(authorizers, attributes)
  const namespaces = resources.find('', 'v1', 'namespaces')!
  const plugins = createAdmissionPlugins({
    environment,
    resources,
    store: objects,
    ...admission,
    gates: scheme.gates,
    isAllowed: mayUser,
    authorize,
    createNamespace: (namespace) => ensure(server, { resource: namespaces, object: namespaceNamed(namespace) }),
  })
  const server: VerbDependencies = {
    environment,
    timestamps: new Timestamps(environment.clock),
    store: objects,
    scheme,
    admission: new Admission([...plugins, escalationCheck(rbac, mayUser)]),
    allowPrivileged,
    notices: new Map(Object.entries(notices)),
    authorize,
    closing,
  }
  return server
}

/** Creates the objects that every cluster has, and restores them until the returned function is called. */
async function prepareCluster(
  dependencies: ApiServerDependencies,
  resources: ResourceMap,
  server: VerbDependencies,
): Promise<() => void> {
  const { store, environment } = server
  const boot = repeatedBootstrap(resources, server, { ...dependencies, ...dependencies.services })
  const repair = () => repairReservations(store, environment)
  await repair()
  await boot()
  await correctService(resources, server, { ...dependencies, ...dependencies.services })
  await bootstrapRoles(resources, server, dependencies.controllerRoles)
  const tasks = [
    { name: 'bootstrap', every: 10_000, run: boot },
    { name: 'repair of reservations', every: 180_000, run: repair },
    ...failedInitializations(resources, server),
  ]
  return startPeriodicTasks(tasks, environment)
}

interface StageDependencies {
  readonly server: VerbDependencies
  readonly deadlines: Deadlines
  readonly authorizers: readonly Authorizer[]
}

function stagesOf(
  dependencies: ApiServerDependencies,
  resources: ResourceMap,
  { server, authorizers, deadlines }: StageDependencies,
): readonly PipelineStage[] {
  const { environment, store } = server
  const { authenticators, tokens } = dependencies.authentication(credentialObjects(resources, store))
  const { tls = () => ({}), ...options } = dependencies.kubelets ?? {}
  const client = new KubeletClient(tls, environment.clock)
  const forwardToNode = kubeletForwarder({ resources: () => resources, client, options })
  const components = controlPlane(store, dependencies.components)
  const endpoints: RoutingTable = {
    resources,
    groups: new Set(dependencies.scheme.resources.map(({ kind }) => kind.group)),
    handlers: {
      ...registryHandlers({ resources, ...dependencies.serviceAccounts, tokens, components, forwardToNode }),
      ...accessReviewHandlers(authorizers),
    },
    extensions: extensionsOf(dependencies, environment, store),
    server,
  }
  return pipeline({
    authenticators,
    authorizers,
    deadlines,
    endpoints,
    auditor: dependencies.auditor,
    flowControl: fairnessStage(dependencies.requests, resources, environment),
    origins: dependencies.requests.origins,
    log: environment.log,
  })
}

function fairnessStage(
  limits: RequestLimits,
  resources: ResourceMap,
  { clock, metrics }: Environment,
): PipelineStage | undefined {
  const { maxInFlight: reading, maxMutatingInFlight: writing, isFair, timeout } = limits
  if (!isFair) return inFlightStage({ reading, writing })
  if (reading + writing === 0) return undefined
  const levels = new FlowLevels(resources, { clock, seats: reading + writing, patience: timeout / 4 })
  describeLevels(levels, metrics)
  return flowControlStage(levels)
}

async function isAllowed(authorizers: readonly Authorizer[], attributes: AuthorizationAttributes): Promise<boolean> {
  const { decision } = await runAuthorizers(authorizers, attributes)
  return decision === 'allow'
}

function extensionsOf(
  { address, port, serviceAccounts, build, scheme }: ApiServerDependencies,
  environment: Environment,
  objects: ObjectStore,
) {
  const storage: ServerHealthCheck = { name: 'etcd', check: async () => objects.waitUntilCurrent() }
  const failed = (name: string, error: unknown) => environment.log.warn('health check failed', { name, error })
  const info = { title: 'Kubernetes', version: gitVersion(build) }
  return extensions({
    scheme,
    build,
    health: new Health([storage], failed),
    openapi: new OpenapiEndpoint(scheme, { info, enumerations: true }),
    metrics: environment.metrics,
    issuer: issuerDiscovery({ ...serviceAccounts, address: `${address}:${port}` }),
    address: `${address}:${port}`,
  })
}
