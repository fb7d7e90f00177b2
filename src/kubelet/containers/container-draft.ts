import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sleep } from '../../base/clock.js'
import type { ContainerConfig, Mount } from '../../cri/interface/container.js'
import type { Draft } from '../../cri/interface/message.js'
import { containerAnnotations, containerLabels } from '../runtime/labels.js'
import type { ContainerRequest } from './container-config.js'
import { type ContainerConfigParts, settingsOf } from './container-config-parts.js'
import { volumeDevices } from './devices.js'
import { environmentVariables, type Variables } from './environment-variables.js'
import { expand } from './expansion.js'
import { podHostname } from './hostname.js'
import { nodeHostsFile, podHostsFile } from './hosts-file.js'
import { containerResources } from './linux-resources.js'
import { volumeMounts } from './mounts.js'
import {
  containerLog,
  makeLogsFolder,
  makeTerminationLog,
  podFolder,
  podLogsFolder,
  writeHostsFile,
} from './pod-files.js'
import { containerSecurity, verifyNonRoot } from './security-context.js'
import { servicesFor, serviceVariables } from './service-variables.js'
import { stopSignalOf } from './stop-signal.js'

/** Where programs look names up; what a container mounts there itself stays. */
const hostsPath = '/etc/hosts'

/** How long a container waits for services to be known, after the kubelet started. */
const longestWait = 5000

/** Rejects with an `Error` in upstream's words. */
export async function containerDraft(
  request: ContainerRequest,
  parts: ContainerConfigParts,
): Promise<Draft<ContainerConfig>> {
  const { pod, container, restartCount, image } = request
  verifyNonRoot(pod, container, image)
  const variables = await variablesOf(request, parts)
  const lookup = (name: string) => variables.get(name)?.toString()
  const [mounts] = await Promise.all([
    allMounts(request, parts, variables),
    makeLogsFolder(join(podLogsFolder(parts.identity, pod), container.name)),
  ])
  return {
    metadata: { name: container.name, attempt: restartCount },
    image: { image: image.ref, userSpecifiedImage: container.image ?? '' },
    command: container.command?.map((word) => expand(word, lookup)),
    args: container.args?.map((word) => expand(word, lookup)),
    workingDir: container.workingDir ?? '',
    envs: [...variables].map(([key, value]) => ({ key, value })),
    mounts,
    devices: volumeDevices(container, request.volumes),
    labels: containerLabels(pod, container),
    annotations: containerAnnotations(pod, container, restartCount),
    logPath: containerLog(container.name, restartCount),
    stdin: container.stdin ?? false,
    stdinOnce: container.stdinOnce ?? false,
    tty: container.tty ?? false,
    linux: linuxContainer(request, parts),
    stopSignal: stopSignalOf(container),
  }
}

async function variablesOf(request: ContainerRequest, parts: ContainerConfigParts): Promise<Variables> {
  const { pod, container, volumes, podAddresses } = request
  const { services, identity, objects, environment } = parts
  if (!services.isSynced && !isStatic(request))
    await Promise.race([services.synced, sleep(environment.clock, longestWait)])
  if (!services.isSynced && !isStatic(request))
    throw new Error('services have not yet been read at least once, cannot construct envvars')
  const { namespace = '' } = pod.metadata
  const cluster = services.get('default/kubernetes')
  const known = [...services.by('namespace', namespace), ...(cluster ? [cluster] : [])]
  return await environmentVariables({
    pod,
    container,
    volumes,
    objects,
    place: { hostAddresses: identity.hostAddresses, podAddresses },
    allocatable: parts.allocatable(),
    services: serviceVariables(servicesFor(known, namespace, pod.spec.enableServiceLinks ?? true)),
  })
}

/** A pod from a file starts whether or not there is an API server. */
function isStatic({ pod }: ContainerRequest): boolean {
  const source = pod.metadata.annotations?.['kubernetes.io/config.source']
  return source !== undefined && source !== 'api'
}

async function allMounts(
  request: ContainerRequest,
  parts: ContainerConfigParts,
  variables: Variables,
): Promise<readonly Draft<Mount>[]> {
  const { pod, container, volumes } = request
  const { machine, environment, bindMounts, identity } = parts
  const folder = podFolder(identity, pod)
  const supportsRecursiveReadOnly = parts.supportsRecursiveReadOnly?.(pod) ?? false
  const mounts = [
    ...(await volumeMounts({
      container,
      volumes,
      variables,
      podFolder: folder,
      bindMounts,
      supportsRecursiveReadOnly,
    })),
  ]
  const file = (containerPath: string, hostPath: string): Draft<Mount> => ({
    containerPath,
    hostPath,
    selinuxRelabel: machine.hasSelinux,
  })
  const text = await hostsText(request, parts)
  if (text !== undefined && !mounts.some(({ containerPath }) => containerPath === hostsPath))
    mounts.push(file(hostsPath, await writeHostsFile(folder, text)))
  if (container.terminationMessagePath)
    mounts.push(
      file(container.terminationMessagePath, await makeTerminationLog(folder, container.name, environment.random)),
    )
  return mounts
}

/** Undefined where there is nothing to say: a pod that is to have an address and has none yet. */
async function hostsText(request: ContainerRequest, parts: ContainerConfigParts): Promise<string | undefined> {
  const { pod, podAddresses } = request
  const { hostNetwork, hostAliases } = pod.spec
  if (hostNetwork) return nodeHostsFile(await readFile(settingsOf(parts).hostsFile, 'utf8'), hostAliases)
  if (podAddresses.length === 0) return undefined
  return podHostsFile(podAddresses, podHostname(pod, parts.identity.clusterDomain), hostAliases)
}

function linuxContainer(request: ContainerRequest, parts: ContainerConfigParts) {
  const { pod, container, image, targetId } = request
  const { machine, cpus } = parts
  const settings = settingsOf(parts)
  return {
    resources: containerResources({
      pod,
      container,
      machine,
      settings: settings.resources,
      cpus: cpus?.cpusOf(pod.metadata.uid ?? '', container.name) ?? '',
      hasExclusiveCpus: cpus?.hasExclusive(pod, container) ?? false,
    }),
    securityContext: containerSecurity({
      pod,
      container,
      image,
      targetId,
      seccomp: settings.seccomp,
      thermalPaths: machine.thermalPaths,
    }),
  }
}
