/** The types of a configuration file. Durations are texts: `15s`. */
import { bool, bytes, double, int32, int64, list, rawExtension, ref, string } from '../../schema/fields.js'
import type { Infer } from '../../schema/infer.js'
import { schema } from '../../schema/schema.js'
import { configurationVersion } from '../framework/plugin-arguments.js'

const group = configurationVersion

export const KubeSchedulerConfiguration = schema(`${group}.KubeSchedulerConfiguration`, {
  optional: {
    apiVersion: string(0),
    kind: string(0),
    parallelism: int32(0, { keepZero: true, default: 16 }),
    leaderElection: ref<LeaderElectionConfiguration>(0, `${group}.LeaderElectionConfiguration`, { default: {} }),
    clientConnection: ref<ClientConnectionConfiguration>(0, `${group}.ClientConnectionConfiguration`, { default: {} }),
    enableProfiling: bool(0, { keepZero: true }),
    enableContentionProfiling: bool(0, { keepZero: true }),
    percentageOfNodesToScore: int32(0, { keepZero: true }),
    podInitialBackoffSeconds: int64(0, { keepZero: true, default: 1 }),
    podMaxBackoffSeconds: int64(0, { keepZero: true, default: 10 }),
    profiles: list(0, ref<KubeSchedulerProfile>(`${group}.KubeSchedulerProfile`)),
    extenders: list(0, ref<ExtenderConfiguration>(`${group}.Extender`)),
    delayCacheUntilActive: bool(0),
  },
})
export interface KubeSchedulerConfiguration extends Infer<typeof KubeSchedulerConfiguration> {}

export const LeaderElectionConfiguration = schema(`${group}.LeaderElectionConfiguration`, {
  optional: {
    leaderElect: bool(0, { keepZero: true, default: true }),
    leaseDuration: string(0, { default: '15s' }),
    renewDeadline: string(0, { default: '10s' }),
    retryPeriod: string(0, { default: '2s' }),
    resourceLock: string(0, { default: 'leases' }),
    resourceName: string(0, { default: 'kube-scheduler' }),
    resourceNamespace: string(0, { default: 'kube-system' }),
  },
})
export interface LeaderElectionConfiguration extends Infer<typeof LeaderElectionConfiguration> {}

export const ClientConnectionConfiguration = schema(`${group}.ClientConnectionConfiguration`, {
  optional: {
    kubeconfig: string(0),
    acceptContentTypes: string(0),
    contentType: string(0),
    qps: double(0),
    burst: int32(0),
  },
})
export interface ClientConnectionConfiguration extends Infer<typeof ClientConnectionConfiguration> {}

export const KubeSchedulerProfile = schema(`${group}.KubeSchedulerProfile`, {
  optional: {
    schedulerName: string(0, { keepZero: true }),
    percentageOfNodesToScore: int32(0, { keepZero: true }),
    plugins: ref<Plugins>(0, `${group}.Plugins`),
    pluginConfig: list(0, ref<PluginConfig>(`${group}.PluginConfig`)),
  },
})
export interface KubeSchedulerProfile extends Infer<typeof KubeSchedulerProfile> {}

const pluginSet = () => ref<PluginSet>(0, `${group}.PluginSet`)

export const Plugins = schema(`${group}.Plugins`, {
  optional: {
    preEnqueue: pluginSet(),
    queueSort: pluginSet(),
    preFilter: pluginSet(),
    filter: pluginSet(),
    postFilter: pluginSet(),
    preScore: pluginSet(),
    score: pluginSet(),
    reserve: pluginSet(),
    permit: pluginSet(),
    preBind: pluginSet(),
    bind: pluginSet(),
    postBind: pluginSet(),
    multiPoint: pluginSet(),
  },
})
export interface Plugins extends Infer<typeof Plugins> {}

export const PluginSet = schema(`${group}.PluginSet`, {
  optional: {
    enabled: list(0, ref<PluginChoice>(`${group}.Plugin`)),
    disabled: list(0, ref<PluginChoice>(`${group}.Plugin`)),
  },
})
export interface PluginSet extends Infer<typeof PluginSet> {}

export const PluginChoice = schema(`${group}.Plugin`, {
  required: { name: string(0) },
  optional: { weight: int32(0, { keepZero: true }) },
})
export interface PluginChoice extends Infer<typeof PluginChoice> {}

export const PluginConfig = schema(`${group}.PluginConfig`, {
  required: { name: string(0) },
  optional: { args: rawExtension(0) },
})
export interface PluginConfig extends Infer<typeof PluginConfig> {}

export const ExtenderConfiguration = schema(`${group}.Extender`, {
  optional: {
    urlPrefix: string(0),
    filterVerb: string(0),
    preemptVerb: string(0),
    prioritizeVerb: string(0),
    weight: int64(0, { keepZero: true }),
    bindVerb: string(0),
    enableHTTPS: bool(0),
    tlsConfig: ref<ExtenderTLSConfig>(0, `${group}.ExtenderTLSConfig`),
    httpTimeout: string(0),
    nodeCacheCapable: bool(0),
    managedResources: list(0, ref<ExtenderManagedResource>(`${group}.ExtenderManagedResource`)),
    ignorable: bool(0),
  },
})
export interface ExtenderConfiguration extends Infer<typeof ExtenderConfiguration> {}

export const ExtenderTLSConfig = schema(`${group}.ExtenderTLSConfig`, {
  optional: {
    insecure: bool(0),
    serverName: string(0),
    certFile: string(0),
    keyFile: string(0),
    caFile: string(0),
    certData: bytes(0),
    keyData: bytes(0),
    caData: bytes(0),
  },
})
export interface ExtenderTLSConfig extends Infer<typeof ExtenderTLSConfig> {}

export const ExtenderManagedResource = schema(`${group}.ExtenderManagedResource`, {
  required: { name: string(0) },
  optional: { ignoredByScheduler: bool(0) },
})
export interface ExtenderManagedResource extends Infer<typeof ExtenderManagedResource> {}
