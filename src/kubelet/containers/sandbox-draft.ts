import { readFile } from 'node:fs/promises'
import type { Pod } from '../../api/core/v1/pod.js'
import type { Draft } from '../../cri/interface/message.js'
import type { LinuxPodSandboxConfig, PodSandboxConfig } from '../../cri/interface/sandbox-config.js'
import { sandboxAnnotations, sandboxLabels } from '../runtime/labels.js'
import { type ContainerConfigParts, type ContainerSettings, settingsOf } from './container-config-parts.js'
import { kernelHostname, podHostname } from './hostname.js'
import { sandboxResources } from './linux-resources.js'
import { makeLogsFolder, podLogsFolder } from './pod-files.js'
import { portMappings } from './port-mappings.js'
import { parseResolver, podResolver, type Resolver } from './resolver.js'
import { sandboxSecurity } from './security-context.js'

/** Rejects with an `Error` in upstream's words. */
export async function sandboxDraft(
  pod: Pod,
  attempt: number,
  parts: ContainerConfigParts,
): Promise<Draft<PodSandboxConfig>> {
  const settings = settingsOf(parts)
  const { name = '', namespace = '', uid = '' } = pod.metadata
  const logDirectory = podLogsFolder(parts.identity, pod)
  await parts.cpus?.allocate(pod)
  const [dnsConfig, linux] = await Promise.all([
    resolverOf(pod, parts, settings),
    linuxSandbox(pod, parts, settings),
    makeLogsFolder(logDirectory),
  ])
  return {
    metadata: { name, namespace, uid, attempt },
    // A pod on the node's network has the node's name.
    hostname: pod.spec.hostNetwork ? '' : kernelHostname(pod, podHostname(pod, parts.identity.clusterDomain)),
    logDirectory,
    dnsConfig,
    portMappings: portMappings(pod.spec),
    labels: sandboxLabels(pod),
    annotations: sandboxAnnotations(pod),
    linux,
  }
}

async function resolverOf(pod: Pod, parts: ContainerConfigParts, settings: ContainerSettings): Promise<Resolver> {
  const { resolverFile } = settings
  return podResolver(pod, {
    ...parts.identity,
    host: resolverFile ? parseResolver(await readFile(resolverFile, 'utf8')) : undefined,
    warn: (reason, message) => parts.events.record({ about: pod, type: 'Warning', reason, message }),
  })
}

async function linuxSandbox(
  pod: Pod,
  parts: ContainerConfigParts,
  { resources: settings }: ContainerSettings,
): Promise<Draft<LinuxPodSandboxConfig>> {
  const securityContext = sandboxSecurity(pod)
  const hasExclusiveCpus = parts.cpus?.hasExclusive(pod) ?? false
  const sysctls = pod.spec.securityContext?.sysctls ?? []
  return {
    cgroupParent: await parts.cgroups.ensure(pod),
    securityContext,
    sysctls: Object.fromEntries(sysctls.map(({ name, value }) => [name, value])),
    ...sandboxResources(pod, parts.machine, { settings, hasExclusiveCpus }),
  }
}
