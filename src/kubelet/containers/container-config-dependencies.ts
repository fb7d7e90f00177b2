import { join } from 'node:path'
import type { Container } from '../../api/core/v1/container.js'
import type { Pod } from '../../api/core/v1/pod.js'
import type { Service } from '../../api/core/v1/service.js'
import type { Environment } from '../../base/environment.js'
import type { EventRecorder } from '../../client/events/event-recorder.js'
import type { Informer } from '../../client/informers/informer.js'
import type { PodCgroups } from '../cgroups/pod-cgroups.js'
import type { NodeIdentity } from '../node/node-identity.js'
import type { ConfigObjects } from './environment/config-objects.js'
import type { ResourceQuantities } from './environment/resource-field.js'
import type { BindMounts } from './mounts/bind-mounts.js'
import type { ContainerHost } from './resources/container-host.js'
import { type ResourceSettings, usualResourceSettings } from './resources/linux-resources.js'
import type { SeccompSettings } from './security/security-profiles.js'

/** The CPUs of containers with the static CPU manager policy (`../cpus/cpu-manager.ts`). */
export interface ContainerCpus {
  /** Allocates CPUs before anything of a pod is created. A pod keeps CPUs that it has. Rejects if there are too few. */
  allocate(pod: Pod): Promise<void>
  /** Returns the CPU set in the kernel's notation, or '' for all CPUs. */
  cpusOf(podUid: string, container: string): string
  hasExclusive(pod: Pod, container?: Container): boolean
}

export interface ContainerConfigDependencies {
  readonly environment: Pick<Environment, 'clock' | 'random'>
  readonly identity: NodeIdentity
  readonly events: EventRecorder
  readonly configObjects: ConfigObjects
  readonly services: Pick<Informer<Service>, 'by' | 'get' | 'isSynced' | 'synced'>
  readonly cgroups: Pick<PodCgroups, 'ensure'>
  readonly host: ContainerHost
  /** Returns the allocatable resources of the Node. */
  readonly allocatable: () => ResourceQuantities
  /** Undefined on a simulated host: the runtime then gets sub-paths without a bind mount. */
  readonly bindMounts?: BindMounts | undefined
  readonly cpus?: ContainerCpus | undefined
  readonly supportsRecursiveReadOnly?: ((pod: Pod) => boolean) | undefined
  readonly settings?: Partial<ContainerSettings> | undefined
}

export interface ContainerSettings {
  /** `--resolv-conf`. If empty, pods do not inherit the resolver of the host. */
  readonly resolverFile: string
  /** The hosts file of the host, for pods on the host network. */
  readonly hostsFile: string
  readonly seccomp: SeccompSettings
  readonly resources: ResourceSettings
}

export function containerSettings({
  settings = {},
  identity,
}: Pick<ContainerConfigDependencies, 'settings' | 'identity'>): ContainerSettings {
  return {
    resolverFile: '/etc/resolv.conf',
    hostsFile: '/etc/hosts',
    seccomp: { profilesFolder: join(identity.rootFolder, 'seccomp'), isDefault: false },
    resources: usualResourceSettings,
    ...settings,
  }
}
