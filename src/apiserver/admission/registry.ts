import type { GateName } from '../../api/feature-gates.js'
import type { Environment } from '../../base/environment.js'
import type { ObjectStore } from '../cache/object-store.js'
import type { ResourceMap } from '../registry/resource-map.js'
import type { AdmissionPlugin } from './admission.js'
import type { PluginConfigurations } from './configuration.js'
import { eventRateLimit } from './event-rate-limit/plugin.js'
import { initialResources } from './initial-resources/plugin.js'
import { limitRanger } from './limit-ranger/plugin.js'
import { ObjectLookups } from './lookup.js'
import { nodeRestriction } from './node-restriction/plugin.js'
import { alwaysAdmit, alwaysDeny } from './plugins/always.js'
import { alwaysPullImages } from './plugins/always-pull-images.js'
import {
  certificateApproval,
  certificateSigning,
  certificateSubjectRestriction,
  clusterTrustBundleAttest,
  type IsAllowed,
} from './plugins/certificates.js'
import { defaultIngressClass, defaultStorageClass } from './plugins/default-classes.js'
import { defaultTolerationSeconds } from './plugins/default-toleration-seconds.js'
import { denyServiceExternalIps } from './plugins/deny-service-external-ips.js'
import { extendedResourceToleration } from './plugins/extended-resource-toleration.js'
import { initializers } from './plugins/initializers.js'
import { limitPodHardAntiAffinityTopology } from './plugins/limit-pod-hard-anti-affinity-topology.js'
import { namespaceAutoProvision, namespaceExists } from './plugins/namespace-existence.js'
import { namespaceLifecycle } from './plugins/namespace-lifecycle.js'
import {
  type Authorize,
  ownerReferencesPermissionEnforcement,
} from './plugins/owner-references-permission-enforcement.js'
import { persistentVolumeClaimResize } from './plugins/persistent-volume-claim-resize.js'
import { podTopologyLabels } from './plugins/pod-topology-labels.js'
import { priority } from './plugins/priority.js'
import { runtimeClass } from './plugins/runtime-class.js'
import { storageObjectInUseProtection } from './plugins/storage-object-in-use-protection.js'
import { taintNodesByCondition } from './plugins/taint-nodes-by-condition.js'
import { podSecurity } from './pod-security/plugin.js'
import { resourceQuota } from './resource-quota/plugin.js'
import { serviceAccount } from './service-account/plugin.js'
import { mutatingAdmissionWebhook, validatingAdmissionWebhook } from './webhooks/plugin.js'
import type { ServiceResolver } from './webhooks/service-address.js'

export interface PluginOptions {
  readonly environment: Environment
  readonly resources: ResourceMap
  readonly store: ObjectStore
  /** Asks the authorizers. */
  readonly isAllowed: IsAllowed
  /** The same, with their reasons. */
  readonly authorize: Authorize
  /** Features that are on. */
  readonly gates: ReadonlySet<string>
  /** Makes a namespace. */
  readonly createNamespace: (namespace: string) => Promise<void>
  /** `--enable-admission-plugins`: besides those that are on by themselves. */
  readonly enabled?: readonly string[]
  /** `--disable-admission-plugins`. */
  readonly disabled?: readonly string[]
  /** Puts them into another order. */
  readonly arrange?: (plugins: readonly AdmissionPlugin[]) => readonly AdmissionPlugin[]
  /** What the file of `--admission-control-config-file` says. */
  readonly configurations?: PluginConfigurations
  /** `--default-not-ready-toleration-seconds`, `--default-unreachable-toleration-seconds`. */
  readonly notReadyTolerationSeconds?: number
  readonly unreachableTolerationSeconds?: number
  /** Where services are that webhooks stand behind; without it, at their cluster addresses. */
  readonly resolveService?: ServiceResolver
}

interface PluginEntry {
  readonly name: string
  readonly isOn: boolean
  /** The feature without which there is nothing for it to do. */
  readonly gate?: GateName
  readonly make: (parts: PluginOptions, lookups: ObjectLookups) => AdmissionPlugin
}

const fiveMinutes = 300

/** Every plugin there is, in the order in which they are asked; those that count come last. */
const catalogue: readonly PluginEntry[] = [
  off('AlwaysAdmit', () => alwaysAdmit),
  off('NamespaceAutoProvision', ({ createNamespace: provision }, lookups) =>
    namespaceAutoProvision(lookups, provision),
  ),
  on('NamespaceLifecycle', (_, lookups) => namespaceLifecycle(lookups)),
  off('NamespaceExists', (_, lookups) => namespaceExists(lookups)),
  off('LimitPodHardAntiAffinityTopology', () => limitPodHardAntiAffinityTopology),
  off('InitialResources', ({ environment, configurations }) =>
    initialResources(environment, configurations?.InitialResources),
  ),
  on('LimitRanger', (_, lookups) => limitRanger(lookups)),
  on('ServiceAccount', ({ environment }, lookups) => serviceAccount(lookups, environment)),
  off('NodeRestriction', ({ isAllowed: mayThey }, lookups) => nodeRestriction(lookups, mayThey)),
  on('TaintNodesByCondition', () => taintNodesByCondition),
  off('AlwaysPullImages', () => alwaysPullImages),
  on('PodSecurity', ({ configurations }, lookups) => podSecurity(lookups, configurations?.PodSecurity)),
  on('Priority', (_, lookups) => priority(lookups)),
  on('DefaultTolerationSeconds', ({ notReadyTolerationSeconds, unreachableTolerationSeconds }) =>
    defaultTolerationSeconds({
      notReady: notReadyTolerationSeconds ?? fiveMinutes,
      unreachable: unreachableTolerationSeconds ?? fiveMinutes,
    }),
  ),
  off('EventRateLimit', ({ environment, configurations }) =>
    eventRateLimit(environment.clock, configurations?.EventRateLimit),
  ),
  off('ExtendedResourceToleration', () => extendedResourceToleration),
  on('DefaultStorageClass', (_, lookups) => defaultStorageClass(lookups)),
  on('StorageObjectInUseProtection', () => storageObjectInUseProtection),
  off('OwnerReferencesPermissionEnforcement', ({ resources, authorize }) =>
    ownerReferencesPermissionEnforcement(resources, authorize),
  ),
  on('PersistentVolumeClaimResize', (_, lookups) => persistentVolumeClaimResize(lookups)),
  on('RuntimeClass', (_, lookups) => runtimeClass(lookups)),
  on('CertificateApproval', ({ isAllowed: mayThey }) => certificateApproval(mayThey)),
  on('CertificateSigning', ({ isAllowed: mayThey }) => certificateSigning(mayThey)),
  on('ClusterTrustBundleAttest', ({ isAllowed: mayThey }) => clusterTrustBundleAttest(mayThey)),
  on('CertificateSubjectRestriction', () => certificateSubjectRestriction),
  on('DefaultIngressClass', (_, lookups) => defaultIngressClass(lookups)),
  off('DenyServiceExternalIPs', () => denyServiceExternalIps),
  on('PodTopologyLabels', (_, lookups) => podTopologyLabels(lookups)),
  { ...off('Initializers', ({ authorize }, lookups) => initializers(lookups, authorize)), gate: 'Initializers' },
  on('MutatingAdmissionWebhook', (parts, lookups) =>
    mutatingAdmissionWebhook({ ...parts, ...parts.configurations?.MutatingAdmissionWebhook, lookups }),
  ),
  on('ValidatingAdmissionWebhook', (parts, lookups) =>
    validatingAdmissionWebhook({ ...parts, ...parts.configurations?.ValidatingAdmissionWebhook, lookups }),
  ),
  on('ResourceQuota', ({ environment, configurations }, lookups) =>
    resourceQuota(lookups, environment, configurations?.ResourceQuota),
  ),
  off('AlwaysDeny', () => alwaysDeny),
]

/** Of all plugins there are. */
export const pluginNames: readonly string[] = catalogue.map(({ name }) => name)

function off(name: string, make: PluginEntry['make']): PluginEntry {
  return { name, isOn: false, make }
}

function on(name: string, make: PluginEntry['make']): PluginEntry {
  return { name, isOn: true, make }
}

/** The plugins that are on, in their order. */
export function admissionPlugins(parts: PluginOptions): readonly AdmissionPlugin[] {
  const { enabled = [], disabled = [], arrange = (plugins) => plugins } = parts
  for (const name of [...enabled, ...disabled])
    if (!catalogue.some((entry) => entry.name === name)) throw new Error(`unknown admission plugin: ${name}`)
  const both = enabled.find((name) => disabled.includes(name))
  if (both) throw new Error(`${both} in enable-admission-plugins and disable-admission-plugins`)
  const lookups = new ObjectLookups(parts.resources, parts.store)
  const isWanted = ({ name, isOn }: PluginEntry) => !disabled.includes(name) && (isOn || enabled.includes(name))
  return arrange(catalogue.filter(isWanted).map((entry) => openedBy(parts.gates, entry).make(parts, lookups)))
}

function openedBy(gates: ReadonlySet<string>, entry: PluginEntry): PluginEntry {
  const { name, gate } = entry
  if (gate === undefined || gates.has(gate)) return entry
  throw new Error(`the admission plugin ${name} needs a feature that is off: --feature-gates=${gate}=true`)
}
