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
import type { ResourceAmounts } from './environment/resource-field.js'
import type { BindMounts } from './mounts/bind-mounts.js'
import type { ContainerHost } from './resources/container-host.js'
import { type ResourceSettings, usualResourceSettings } from './resources/linux-resources.js'
import type { SeccompSettings } from './security/security-profiles.js'

/** The cores that containers run on, where somebody hands them out (`../cgroups/cpu-manager.ts`). */
export interface ContainerCpus {
  /** Called before anything of a pod is made; what it has already it keeps. Rejects if there are too few. */
  allocate(pod: Pod): Promise<void>
  /** As the kernel writes sets of cores; empty for all. */
  cpusOf(podUid: string, container: string): string
  hasExclusive(pod: Pod, container?: Container): boolean
}

export interface ContainerConfigDependencies {
  readonly environment: Pick<Environment, 'clock' | 'random'>
  readonly identity: NodeIdentity
  readonly events: EventRecorder
  readonly objects: ConfigObjects
  readonly services: Pick<Informer<Service>, 'by' | 'get' | 'isSynced' | 'synced'>
  readonly cgroups: Pick<PodCgroups, 'ensure'>
  readonly host: ContainerHost
  /** What the node can give to pods, as its status says. */
  readonly allocatable: () => ResourceAmounts
  /** None where nothing runs for real: then sub-paths are told to the runtime as they are. */
  readonly bindMounts?: BindMounts | undefined
  readonly cpus?: ContainerCpus | undefined
  readonly supportsRecursiveReadOnly?: ((pod: Pod) => boolean) | undefined
  readonly settings?: Partial<ContainerSettings> | undefined
}

export interface ContainerSettings {
  /** `--resolv-conf`; empty: pods look nothing up by the node's. */
  readonly resolverFile: string
  /** The node's own, for pods on its network. */
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
