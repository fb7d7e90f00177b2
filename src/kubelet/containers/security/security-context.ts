import type { Container } from '../../../api/core/v1/container.js'
import type { PodSpec } from '../../../api/core/v1/pod/spec.js'
import type { Pod } from '../../../api/core/v1/pod.js'
import type { SecurityContext } from '../../../api/core/v1/security-context.js'
import type { PartialMessage } from '../../../cri/interface/message.js'
import type {
  LinuxContainerSecurityContext,
  LinuxSandboxSecurityContext,
  NamespaceOption,
} from '../../../cri/interface/security.js'
import type { NamespaceMode } from '../../../cri/interface/values.js'
import { quote } from '../../../schema/quote.js'
import type { PresentImage } from '../../images/images.js'
import { formatPod, podContainers } from '../../pods/pod-containers.js'
import { procPaths } from './proc-paths.js'
import { appArmorName, appArmorProfile, type SeccompSettings, seccompProfile } from './security-profiles.js'

/** Merges the security contexts of pod and container. The container's takes precedence. */
export function effectiveContext({ spec }: Pod, { securityContext }: Container): SecurityContext {
  const { seLinuxOptions, runAsUser, runAsGroup, runAsNonRoot } = spec.securityContext ?? {}
  const ofPod = { seLinuxOptions, runAsUser, runAsGroup, runAsNonRoot }
  return { ...withoutUndefined(ofPod), ...withoutUndefined(securityContext ?? {}) }
}

function withoutUndefined<T extends object>(object: T): { [K in keyof T]?: NonNullable<T[K]> } {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as never
}

/** Throws in upstream's words if a non-root container would or could run as root. */
export function verifyNonRoot(pod: Pod, container: Container, image: PresentImage): void {
  const { runAsNonRoot, runAsUser } = effectiveContext(pod, container)
  if (!runAsNonRoot || (runAsUser !== undefined && runAsUser !== 0)) return
  const whose = `(pod: ${quote(formatPod(pod))}, container: ${container.name})`
  if (runAsUser === 0) throw new Error(`container's runAsUser breaks non-root policy ${whose}`)
  const user = imageUser(image)
  if (user.uid === 0) throw new Error(`container has runAsNonRoot and image will run as root ${whose}`)
  if (user.uid === undefined)
    throw new Error(
      `container has runAsNonRoot and image has non-numeric user (${user.username}), cannot verify user is non-root ${whose}`,
    )
}

/** An image without a user runs as root. */
function imageUser({ uid, username }: PresentImage): { readonly uid: number | undefined; readonly username: string } {
  if (uid !== undefined) return { uid, username: '' }
  return username ? { uid: undefined, username } : { uid: 0, username: '' }
}

export interface ContainerSecurity {
  readonly pod: Pod
  readonly container: Container
  readonly image: PresentImage
  readonly targetId: string | undefined
  readonly seccomp: SeccompSettings
  readonly thermalPaths: readonly string[]
}

/** Throws in upstream's words. */
export function containerSecurity(security: ContainerSecurity): PartialMessage<LinuxContainerSecurityContext> {
  const { pod, container, targetId } = security
  const context = effectiveContext(pod, container)
  const { capabilities, privileged, seLinuxOptions, allowPrivilegeEscalation } = context
  const apparmor = appArmorProfile(pod, container)
  return {
    ...userOf(context, security.image),
    runAsGroup: int64(context.runAsGroup),
    capabilities: capabilities && {
      addCapabilities: capabilities.add ?? [],
      dropCapabilities: capabilities.drop ?? [],
    },
    privileged: privileged ?? false,
    selinuxOptions: seLinuxOptions,
    readonlyRootfs: context.readOnlyRootFilesystem ?? false,
    noNewPrivs: allowPrivilegeEscalation === false,
    namespaceOptions: namespacesToward(pod.spec, targetId),
    ...groupsOf(pod.spec),
    ...procPaths(context.procMount, security.thermalPaths),
    seccomp: seccompProfile(pod, container, security.seccomp),
    apparmor,
    apparmorProfile: appArmorName(apparmor),
  }
}

function userOf({ runAsUser }: SecurityContext, image: PresentImage): PartialMessage<LinuxContainerSecurityContext> {
  if (runAsUser !== undefined) return { runAsUser: int64(runAsUser) }
  const { uid, username } = imageUser(image)
  return { runAsUser: int64(uid), runAsUsername: username }
}

/** Returns the security context of the sandbox. It always has the runtime's default seccomp profile. */
export function sandboxSecurity(pod: Pod): PartialMessage<LinuxSandboxSecurityContext> {
  const { spec } = pod
  const { runAsUser, runAsGroup, seLinuxOptions } = spec.securityContext ?? {}
  return {
    privileged: podContainers(pod).some(({ container }) => container.securityContext?.privileged === true),
    seccomp: { profileType: 'RuntimeDefault' },
    runAsUser: int64(runAsUser),
    runAsGroup: int64(runAsGroup),
    namespaceOptions: namespacesOf(spec),
    ...groupsOf(spec),
    selinuxOptions: seLinuxOptions,
  }
}

function groupsOf({ securityContext = {} }: PodSpec) {
  const { fsGroup, supplementalGroups = [], supplementalGroupsPolicy = 'Merge' } = securityContext
  return {
    supplementalGroups: fsGroup === undefined ? supplementalGroups : [fsGroup, ...supplementalGroups],
    supplementalGroupsPolicy,
  }
}

function int64(value: number | undefined): { readonly value: number } | undefined {
  return value === undefined ? undefined : { value }
}

/** Returns which namespaces the containers share with each other and with the host. Throws for unsupported ones. */
function namespacesOf(spec: PodSpec): PartialMessage<NamespaceOption> {
  if (spec.hostUsers === false)
    throw new Error("can't set `spec.hostUsers: false`, runtime does not support user namespaces")
  return {
    network: spec.hostNetwork ? 'NODE' : 'POD',
    ipc: spec.hostIPC ? 'NODE' : 'POD',
    pid: processesOf(spec),
  }
}

/** Returns the namespaces of an ephemeral container that targets the processes of another one, unless they are shared anyway. */
function namespacesToward(spec: PodSpec, targetId: string | undefined): PartialMessage<NamespaceOption> {
  const namespaces = namespacesOf(spec)
  return targetId && namespaces.pid === 'CONTAINER' ? { ...namespaces, pid: 'TARGET', targetId } : namespaces
}

function processesOf({ hostPID, shareProcessNamespace }: PodSpec): NamespaceMode {
  if (hostPID) return 'NODE'
  return shareProcessNamespace ? 'POD' : 'CONTAINER'
}
