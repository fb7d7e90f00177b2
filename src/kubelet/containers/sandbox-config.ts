import { readFile } from 'node:fs/promises'
import type { Container, ContainerPort } from '../../api/core/v1/container.js'
import { isSidecar } from '../../api/core/v1/pod/resources.js'
import type { PodSpec } from '../../api/core/v1/pod/spec.js'
import type { Pod } from '../../api/core/v1/pod.js'
import type { PartialMessage } from '../../cri/interface/message.js'
import type { LinuxPodSandboxConfig, PodSandboxConfig, PortMapping } from '../../cri/interface/sandbox-config.js'
import { podLogsFolder } from '../pods/pod-folders.js'
import { sandboxAnnotations, sandboxLabels } from '../runtime/labels.js'
import {
  type ContainerConfigDependencies,
  type ContainerSettings,
  containerSettings,
} from './container-config-dependencies.js'
import { createLogsFolder } from './mounts/pod-files.js'
import { kernelHostname, podHostname } from './network/hostname.js'
import { parseResolver, podResolver, type Resolver } from './network/resolver.js'
import { sandboxResources } from './resources/linux-resources.js'
import { sandboxSecurity } from './security/security-context.js'

/** Builds the CRI configuration of a sandbox. Rejects with an `Error` in upstream's words. */
export async function buildSandboxConfig(
  pod: Pod,
  attempt: number,
  dependencies: ContainerConfigDependencies,
): Promise<PartialMessage<PodSandboxConfig>> {
  const settings = containerSettings(dependencies)
  const { name = '', namespace = '', uid = '' } = pod.metadata
  const logDirectory = podLogsFolder(dependencies.identity, pod)
  await dependencies.cpus?.allocate(pod)
  const [dnsConfig, linux] = await Promise.all([
    resolverOf(pod, dependencies, settings),
    linuxSandbox(pod, dependencies, settings),
    createLogsFolder(logDirectory),
  ])
  return {
    metadata: { name, namespace, uid, attempt },
    // A pod on the host network has the host's name.
    hostname: pod.spec.hostNetwork ? '' : kernelHostname(pod, podHostname(pod, dependencies.identity.clusterDomain)),
    logDirectory,
    dnsConfig,
    portMappings: portMappings(pod.spec),
    labels: sandboxLabels(pod),
    annotations: sandboxAnnotations(pod),
    linux,
  }
}

async function resolverOf(
  pod: Pod,
  dependencies: ContainerConfigDependencies,
  settings: ContainerSettings,
): Promise<Resolver> {
  const { resolverFile } = settings
  return podResolver(pod, {
    ...dependencies.identity,
    host: resolverFile ? parseResolver(await readFile(resolverFile, 'utf8')) : undefined,
    warn: (reason, message) => dependencies.events.record({ about: pod, type: 'Warning', reason, message }),
  })
}

async function linuxSandbox(
  pod: Pod,
  dependencies: ContainerConfigDependencies,
  { resources: settings }: ContainerSettings,
): Promise<PartialMessage<LinuxPodSandboxConfig>> {
  const securityContext = sandboxSecurity(pod)
  const hasExclusiveCpus = dependencies.cpus?.hasExclusive(pod) ?? false
  const sysctls = pod.spec.securityContext?.sysctls ?? []
  return {
    cgroupParent: await dependencies.cgroups.ensure(pod),
    securityContext,
    sysctls: Object.fromEntries(sysctls.map(({ name, value }) => [name, value])),
    ...sandboxResources(pod, dependencies.host, { settings, hasExclusiveCpus }),
  }
}

/** Returns the ports of sidecars and main containers, also those without a host port, which the runtime ignores. */
function portMappings({ containers, initContainers = [] }: PodSpec): readonly PartialMessage<PortMapping>[] {
  return [...containers, ...initContainers.filter(isSidecar)].flatMap(mappingsOf)
}

/** Maps a duplicate port once. */
function mappingsOf({ ports = [] }: Container): readonly PartialMessage<PortMapping>[] {
  const byName = new Map<string, ContainerPort>()
  for (const port of ports) {
    const name = port.name || [port.protocol, port.hostIP, port.containerPort, port.hostPort].join(' ')
    if (!byName.has(name)) byName.set(name, port)
  }
  return [...byName.values()].map(({ protocol = 'TCP', containerPort, hostPort = 0, hostIP = '' }) => ({
    protocol,
    containerPort,
    hostPort,
    hostIp: hostIP,
  }))
}
