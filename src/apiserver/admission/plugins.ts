import type { GateName } from '../../api/feature-gates.js'
import type { Environment } from '../../base/environment.js'
import type { ObjectStore } from '../cache/object-store.js'
import type { ResourceMap } from '../registry/resource-map.js'
import type { AdmissionPlugin } from './admission.js'
import { alwaysAdmit, alwaysDeny } from './always.js'
import { alwaysPullImages } from './always-pull-images.js'
import {
  certificateApproval,
  certificateSigning,
  certificateSubjectRestriction,
  clusterTrustBundleAttest,
  type MayThey,
} from './certificates.js'
import type { PluginConfigurations } from './configuration.js'
import { defaultIngressClass, defaultStorageClass } from './default-classes.js'
import { defaultTolerationSeconds } from './default-toleration-seconds.js'
import { denyServiceExternalIps } from './deny-service-external-ips.js'
import { eventRateLimit } from './event-rate-limit/plugin.js'
import { extendedResourceToleration } from './extended-resource-toleration.js'
import { initialResources } from './initial-resources/plugin.js'
import { initializers } from './initializers.js'
import { limitPodHardAntiAffinityTopology } from './limit-pod-hard-anti-affinity-topology.js'
import { limitRanger } from './limit-ranger.js'
import { Lookups } from './lookup.js'
import { namespaceAutoProvision, namespaceExists } from './namespace-existence.js'
import { namespaceLifecycle } from './namespace-lifecycle.js'
import { nodeRestriction } from './node-restriction/plugin.js'
import { type Authorize, ownerReferencesPermissionEnforcement } from './owner-references-permission-enforcement.js'
import { persistentVolumeClaimResize } from './persistent-volume-claim-resize.js'
import { podSecurity } from './pod-security/plugin.js'
import { podTopologyLabels } from './pod-topology-labels.js'
import { priority } from './priority.js'
import { resourceQuota } from './resource-quota/plugin.js'
import { runtimeClass } from './runtime-class.js'
import { serviceAccount } from './service-account.js'
import { storageObjectInUseProtection } from './storage-object-in-use-protection.js'
import { taintNodesByCondition } from './taint-nodes-by-condition.js'
import { mutatingAdmissionWebhook, validatingAdmissionWebhook } from './webhooks/plugins.js'
import type { ServiceResolver } from './webhooks/service-address.js'

export interface PluginParts {
  readonly environment: Environment
  readonly resources: ResourceMap
  readonly store: ObjectStore
  /** Asks the authorizers. */
  readonly mayThey: MayThey
  /** The same, with their reasons. */
  readonly authorize: Authorize
  /** Features that are on. */
  readonly gates: ReadonlySet<string>
  /** Makes a namespace. */
  readonly provision: (namespace: string) => Promise<void>
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
  readonly make: (parts: PluginParts, lookups: Lookups) => AdmissionPlugin
}

const fiveMinutes = 300

/** Every plugin there is, in the order in which they are asked; those that count come last. */
const catalogue: readonly PluginEntry[] = [
  off('AlwaysAdmit', () => alwaysAdmit),
  off('NamespaceAutoProvision', ({ provision }, lookups) => namespaceAutoProvision(lookups, provision)),
  on('NamespaceLifecycle', (_, lookups) => namespaceLifecycle(lookups)),
  off('NamespaceExists', (_, lookups) => namespaceExists(lookups)),
  off('LimitPodHardAntiAffinityTopology', () => limitPodHardAntiAffinityTopology),
  off('InitialResources', ({ environment, configurations }) =>
    initialResources(environment, configurations?.InitialResources),
  ),
  on('LimitRanger', (_, lookups) => limitRanger(lookups)),
  on('ServiceAccount', ({ environment }, lookups) => serviceAccount(lookups, environment)),
  off('NodeRestriction', ({ mayThey }, lookups) => nodeRestriction(lookups, mayThey)),
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
  on('CertificateApproval', ({ mayThey }) => certificateApproval(mayThey)),
  on('CertificateSigning', ({ mayThey }) => certificateSigning(mayThey)),
  on('ClusterTrustBundleAttest', ({ mayThey }) => clusterTrustBundleAttest(mayThey)),
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
export function defaultPlugins(parts: PluginParts): readonly AdmissionPlugin[] {
  const { enabled = [], disabled = [], arrange = (plugins) => plugins } = parts
  for (const name of [...enabled, ...disabled])
    if (!catalogue.some((entry) => entry.name === name)) throw new Error(`unknown admission plugin: ${name}`)
  const both = enabled.find((name) => disabled.includes(name))
  if (both) throw new Error(`${both} in enable-admission-plugins and disable-admission-plugins`)
  const lookups = new Lookups(parts.resources, parts.store)
  const isWanted = ({ name, isOn }: PluginEntry) => !disabled.includes(name) && (isOn || enabled.includes(name))
  return arrange(catalogue.filter(isWanted).map((entry) => openedBy(parts.gates, entry).make(parts, lookups)))
}

function openedBy(gates: ReadonlySet<string>, entry: PluginEntry): PluginEntry {
  const { name, gate } = entry
  if (gate === undefined || gates.has(gate)) return entry
  throw new Error(`the admission plugin ${name} needs a feature that is off: --feature-gates=${gate}=true`)
}
