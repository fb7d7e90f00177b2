/** What users of the library import, as `proa/client`. The kinds are beside it: `import { Pod } from 'proa/api/core/v1'`. */

export { ApiError, type ApiErrorReason, hasReason, statusCodes } from '../api/errors.js'
export type { KubeObject } from '../api/kube-object.js'
export type { ObjectMeta } from '../api/meta/v1/object-meta.js'
export type { Status } from '../api/meta/v1/status.js'
export type { Clock } from '../base/clock.js'
export { type Environment, environment } from '../base/environment.js'

export { Client, type ClientOptions, type RawOptions } from './client.js'
export { type ByKubeconfigOptions, type ConnectOptions, clientByKubeconfig, connect } from './connect.js'
export type { ConnectionConfig, PersistAuthProvider } from './connection-config.js'
export {
  type Credential,
  type CredentialSource,
  fixedCredential,
} from './credentials/credential.js'
export type { Impersonation } from './credentials/impersonation.js'
export type {
  Discovered,
  DiscoveredGroup,
  DiscoveredResource,
  DiscoveredSubresource,
  DiscoveredVersion,
  DiscoveryFailure,
} from './discovery/discovered.js'
export { type Discover, type DiscoverOptions, discoverBy, remembered } from './discovery/discovery.js'
export {
  AmbiguousNameError,
  type KindName,
  type MapperOptions,
  NoMatchError,
  ResourceMapper,
} from './discovery/resource-mapper.js'
export type { EventRecorder, Occurrence } from './events/event-recorder.js'
export { eventRecorder, type RunningEventRecorder } from './events/recorder.js'
export {
  type Files,
  type HostAccess,
  type ProgramCommand,
  type ProgramResult,
  type RunProgram,
  thisHost,
} from './host-access.js'
export { type HttpsOptions, httpsTransport } from './https/https-transport.js'
export { RequestTimeoutError } from './https/request-timeout.js'
export {
  type InProcessHandler,
  type InProcessOptions,
  type InProcessUser,
  inProcessTransport,
} from './in-process.js'
export { type Change, type Informer, keyOf, parseKey, type SharedInformers } from './informers/informer.js'
export { type InformerSelection, Informers, type StartedInformer } from './informers/informers.js'
export { ConfigurationError, EmptyConfigurationError } from './kubeconfig/configuration-error.js'
export type { ConnectionFlags } from './kubeconfig/flags.js'
export { flattenKubeconfig } from './kubeconfig/flatten.js'
export { formatKubeconfig, kubeconfigJson } from './kubeconfig/format.js'
export { inClusterConnection, isInCluster } from './kubeconfig/in-cluster.js'
export * from './kubeconfig/kubeconfig.js'
export { mergeKubeconfigs } from './kubeconfig/merge.js'
export { parseKubeconfig } from './kubeconfig/read.js'
export { type ResolveOptions, resolveConnection } from './kubeconfig/resolve.js'
export { kubeconfigSources, type LoadKubeconfigOptions, loadKubeconfig, type Sources } from './kubeconfig/sources.js'
export { defaultKubeconfigFile, type ModifyOptions, modifyKubeconfig } from './kubeconfig/write.js'
export {
  type LeaderElectionOptions,
  type Leadership,
  LeadershipLostError,
  lead,
} from './leader-election/leader-election.js'
export type * from './request-options.js'
export { type AnyObject, type Given, type Page, ResourceClient, type ResourceEvent } from './resource-client.js'
export type { ResourceLocation } from './resource-location.js'
export { type ClientRequest, ConnectionLostError, type Transport } from './transport.js'
