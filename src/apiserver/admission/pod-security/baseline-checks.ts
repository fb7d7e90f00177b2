import type { Container } from '../../../api/core/v1/container.js'
import type { SELinuxOptions } from '../../../api/core/v1/security-context.js'
import { quote } from '../../../schema/quote.js'
import {
  allContainers,
  type CheckedPod,
  type CheckPod,
  containersText,
  namesOfContainers,
  type PodSecurityCheck,
  plural,
  quotedList,
  settersText,
  sortedDistinct,
  type Violation,
} from './check.js'
import { hostProbes } from './host-probes-check.js'
import { seccompAnnotations, seccompSetters } from './seccomp-checks.js'
import { sysctlsAllowing, sysctlsByVersion } from './sysctls-check.js'

const appArmorAnnotation = 'container.apparmor.security.beta.kubernetes.io/'

function appArmor({ metadata, spec }: CheckedPod): Violation | undefined {
  const ofPod = spec.securityContext?.appArmorProfile?.type
  const isPodBad = isForbiddenProfile(ofPod)
  const bad = allContainers(spec).filter(({ securityContext }) =>
    isForbiddenProfile(securityContext?.appArmorProfile?.type),
  )
  const annotations = Object.entries(metadata.annotations ?? {})
    .filter(([key, value]) => key.startsWith(appArmorAnnotation) && !isAllowedAnnotation(value))
    .map(([key, value]) => `${key}=${quote(value)}`)
    .sort()
  const types = [
    ...(isPodBad ? [ofPod!] : []),
    ...bad.map(({ securityContext }) => securityContext!.appArmorProfile!.type),
  ]
  const values = [...sortedDistinct(types), ...annotations]
  if (values.length === 0) return undefined
  const setters = [
    settersText(
      isPodBad,
      bad.map(({ name }) => name),
    ),
    ...(annotations.length > 0 ? [plural(annotations, 'annotation', 'annotations')] : []),
  ].filter((setter) => setter !== '')
  return {
    reason: plural(values, 'forbidden AppArmor profile', 'forbidden AppArmor profiles'),
    detail: `${setters.join(' and ')} must not set AppArmor profile type to ${quotedList(values)}`,
  }
}

function isForbiddenProfile(type: string | undefined): boolean {
  return type !== undefined && type !== 'RuntimeDefault' && type !== 'Localhost'
}

function isAllowedAnnotation(value: string): boolean {
  return value === '' || value === 'runtime/default' || value.startsWith('localhost/')
}

const defaultCapabilities: ReadonlySet<string> = new Set([
  'AUDIT_WRITE',
  'CHOWN',
  'DAC_OVERRIDE',
  'FOWNER',
  'FSETID',
  'KILL',
  'MKNOD',
  'NET_BIND_SERVICE',
  'SETFCAP',
  'SETGID',
  'SETPCAP',
  'SETUID',
  'SYS_CHROOT',
])

function capabilities({ spec }: CheckedPod): Violation | undefined {
  const extra = ({ securityContext }: Container) =>
    (securityContext?.capabilities?.add ?? []).filter((capability) => !defaultCapabilities.has(capability))
  const bad = allContainers(spec).filter((container) => extra(container).length > 0)
  if (bad.length === 0) return undefined
  const who = containersText(bad.map(({ name }) => name))
  const what = quotedList(sortedDistinct(bad.flatMap(extra)))
  return {
    reason: 'non-default capabilities',
    detail: `${who} must not include ${what} in securityContext.capabilities.add`,
  }
}

function hostNamespaces({ spec }: CheckedPod): Violation | undefined {
  const shared = (['hostNetwork', 'hostPID', 'hostIPC'] as const).filter((name) => spec[name])
  if (shared.length === 0) return undefined
  return { reason: 'host namespaces', detail: shared.map((name) => `${name}=true`).join(', ') }
}

function hostPaths({ spec }: CheckedPod): Violation | undefined {
  const names = (spec.volumes ?? []).filter(({ hostPath }) => hostPath).map(({ name }) => name)
  if (names.length === 0) return undefined
  return { reason: 'hostPath volumes', detail: `${plural(names, 'volume', 'volumes')} ${quotedList(names)}` }
}

function hostPorts({ spec }: CheckedPod): Violation | undefined {
  const used = ({ ports = [] }: Container) =>
    ports.filter(({ hostPort }) => hostPort).map(({ hostPort }) => `${hostPort}`)
  const bad = allContainers(spec).filter((container) => used(container).length > 0)
  if (bad.length === 0) return undefined
  const ports = sortedDistinct(bad.flatMap(used))
  const who = containersText(bad.map(({ name }) => name))
  const what = `${plural(ports, 'hostPort', 'hostPorts')} ${ports.join(', ')}`
  return { reason: 'hostPort', detail: `${who} ${plural(bad, 'uses', 'use')} ${what}` }
}

function privileged({ spec }: CheckedPod): Violation | undefined {
  const names = namesOfContainers(spec, ({ securityContext }) => securityContext?.privileged === true)
  if (names.length === 0) return undefined
  return { reason: 'privileged', detail: `${containersText(names)} must not set securityContext.privileged=true` }
}

function procMount({ spec }: CheckedPod): Violation | undefined {
  const mounted = ({ securityContext }: Container) => securityContext?.procMount ?? 'Default'
  const bad = allContainers(spec).filter((container) => mounted(container) !== 'Default')
  if (bad.length === 0) return undefined
  const who = containersText(bad.map(({ name }) => name))
  return {
    reason: 'procMount',
    detail: `${who} must not set securityContext.procMount to ${quotedList(sortedDistinct(bad.map(mounted)))}`,
  }
}

/** Skips a check for pods with a user namespace, whose users have no permissions on the host. */
export function unlessUserNamespace(check: CheckPod): CheckPod {
  return (pod) => (pod.spec.hostUsers === false ? undefined : check(pod))
}

const seLinuxTypes = ['', 'container_t', 'container_init_t', 'container_kvm_t']

function seLinux(allowed: readonly string[]): CheckPod {
  const isBad = (options: SELinuxOptions | undefined) =>
    options !== undefined && (!allowed.includes(options.type ?? '') || !!options.user || !!options.role)
  return ({ spec }) => {
    const ofPod = spec.securityContext?.seLinuxOptions
    const bad = allContainers(spec).filter(({ securityContext }) => isBad(securityContext?.seLinuxOptions))
    const options = [
      ...(isBad(ofPod) ? [ofPod!] : []),
      ...bad.map(({ securityContext }) => securityContext!.seLinuxOptions!),
    ]
    if (options.length === 0) return undefined
    const who = settersText(
      isBad(ofPod),
      bad.map(({ name }) => name),
    )
    const types = sortedDistinct(options.map(({ type = '' }) => type).filter((type) => !allowed.includes(type)))
    const what = [
      ...(types.length > 0 ? [`${plural(types, 'type', 'types')} ${quotedList(types)}`] : []),
      ...(options.some(({ user }) => user) ? ['user may not be set'] : []),
      ...(options.some(({ role }) => role) ? ['role may not be set'] : []),
    ]
    return {
      reason: 'seLinuxOptions',
      detail: `${who} set forbidden securityContext.seLinuxOptions: ${what.join('; ')}`,
    }
  }
}

function windowsHostProcess({ spec }: CheckedPod): Violation | undefined {
  const names = namesOfContainers(spec, ({ securityContext }) => securityContext?.windowsOptions?.hostProcess === true)
  const who = settersText(spec.securityContext?.windowsOptions?.hostProcess === true, names)
  if (who === '') return undefined
  return { reason: 'hostProcess', detail: `${who} must not set securityContext.windowsOptions.hostProcess=true` }
}

/** The checks of the level `baseline`, in the order of the messages. */
export const baselineChecks: readonly PodSecurityCheck[] = [
  { id: 'appArmorProfile', since: [[0, appArmor]] },
  { id: 'capabilities_baseline', since: [[0, capabilities]], replacedBy: 'capabilities_restricted' },
  { id: 'hostNamespaces', since: [[0, hostNamespaces]] },
  { id: 'hostPathVolumes', since: [[0, hostPaths]], replacedBy: 'restrictedVolumes' },
  { id: 'hostPorts', since: [[0, hostPorts]] },
  { id: 'hostProbesAndHostLifecycle', since: [[34, hostProbes]] },
  { id: 'privileged', since: [[0, privileged]] },
  {
    id: 'procMount',
    since: [
      [0, procMount],
      [35, unlessUserNamespace(procMount)],
    ],
  },
  {
    id: 'seLinuxOptions',
    since: [
      [0, seLinux(seLinuxTypes)],
      [31, seLinux([...seLinuxTypes, 'container_engine_t'])],
    ],
  },
  {
    id: 'seccompProfile_baseline',
    since: [
      [0, seccompAnnotations],
      [19, seccompSetters],
    ],
    replacedBy: 'seccompProfile_restricted',
  },
  { id: 'sysctls', since: sysctlsByVersion.map(([minor, names]) => [minor, sysctlsAllowing(names)]) },
  { id: 'windowsHostProcess', since: [[0, windowsHostProcess]] },
]
