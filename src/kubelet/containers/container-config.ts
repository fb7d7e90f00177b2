import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Container } from '../../api/core/v1/container.js'
import { sleep } from '../../base/clock.js'
import type { ContainerConfig, Mount } from '../../cri/interface/container.js'
import type { PartialMessage } from '../../cri/interface/message.js'
import { CriSignal } from '../../cri/interface/signal.js'
import { podFolder, podLogsFolder } from '../pods/pod-folders.js'
import { containerAnnotations, containerLabels } from '../runtime/labels.js'
import { isStaticPod } from '../static/pod-source.js'
import { type ContainerConfigDependencies, containerSettings } from './container-config-dependencies.js'
import type { ContainerRequest } from './container-configs.js'
import { type EnvironmentVariables, environmentVariables } from './environment/environment-variables.js'
import { expandVariables } from './environment/expansion.js'
import { servicesFor, serviceVariables } from './environment/service-variables.js'
import { containerLog, createLogsFolder, createTerminationLog, writeHostsFile } from './mounts/pod-files.js'
import { volumeDevices, volumeMounts } from './mounts/volume-mounts.js'
import { podHostname } from './network/hostname.js'
import { nodeHostsFile, podHostsFile } from './network/hosts-file.js'
import { containerResources } from './resources/linux-resources.js'
import { containerSecurity, verifyNonRoot } from './security/security-context.js'

/** Not mounted if the container mounts something there itself. */
const hostsPath = '/etc/hosts'

/** Milliseconds that a container waits for the first list of services. */
const longestWait = 5000

/** Builds the CRI configuration of a container. Rejects with an `Error` in upstream's words. */
export async function buildContainerConfig(
  request: ContainerRequest,
  dependencies: ContainerConfigDependencies,
): Promise<PartialMessage<ContainerConfig>> {
  const { pod, container, restartCount, image } = request
  verifyNonRoot(pod, container, image)
  const variables = await variablesOf(request, dependencies)
  const lookup = (name: string) => variables.get(name)?.toString()
  const [mounts] = await Promise.all([
    allMounts(request, dependencies, variables),
    createLogsFolder(join(podLogsFolder(dependencies.identity, pod), container.name)),
  ])
  return {
    metadata: { name: container.name, attempt: restartCount },
    image: { image: image.ref, userSpecifiedImage: container.image ?? '' },
    command: container.command?.map((word) => expandVariables(word, lookup)),
    args: container.args?.map((word) => expandVariables(word, lookup)),
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
    linux: linuxContainer(request, dependencies),
    stopSignal: stopSignalOf(container),
  }
}

async function variablesOf(
  request: ContainerRequest,
  dependencies: ContainerConfigDependencies,
): Promise<EnvironmentVariables> {
  const { pod, container, volumes, podAddresses } = request
  const { services, identity, configObjects: objects, environment } = dependencies
  if (!services.isSynced && !isStaticPod(pod))
    await Promise.race([services.synced, sleep(environment.clock, longestWait)])
  if (!services.isSynced && !isStaticPod(pod))
    throw new Error('services have not yet been read at least once, cannot construct envvars')
  const { namespace = '' } = pod.metadata
  const cluster = services.get('default/kubernetes')
  const known = [...services.by('namespace', namespace), ...(cluster ? [cluster] : [])]
  return await environmentVariables({
    pod,
    container,
    volumes,
    objects,
    addresses: { hostAddresses: identity.hostAddresses, podAddresses },
    allocatable: dependencies.allocatable(),
    services: serviceVariables(servicesFor(known, namespace, pod.spec.enableServiceLinks ?? true)),
  })
}

async function allMounts(
  request: ContainerRequest,
  dependencies: ContainerConfigDependencies,
  variables: EnvironmentVariables,
): Promise<readonly PartialMessage<Mount>[]> {
  const { pod, container, volumes } = request
  const { host, environment, bindMounts, identity } = dependencies
  const folder = podFolder(identity.rootFolder, pod.metadata.uid ?? '')
  const supportsRecursiveReadOnly = dependencies.supportsRecursiveReadOnly?.(pod) ?? false
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
  const file = (containerPath: string, hostPath: string): PartialMessage<Mount> => ({
    containerPath,
    hostPath,
    selinuxRelabel: host.hasSelinux,
  })
  const text = await hostsText(request, dependencies)
  if (text !== undefined && !mounts.some(({ containerPath }) => containerPath === hostsPath))
    mounts.push(file(hostsPath, await writeHostsFile(folder, text)))
  if (container.terminationMessagePath)
    mounts.push(
      file(container.terminationMessagePath, await createTerminationLog(folder, container.name, environment.random)),
    )
  return mounts
}

/** Returns undefined while a pod has no address. */
async function hostsText(
  request: ContainerRequest,
  dependencies: ContainerConfigDependencies,
): Promise<string | undefined> {
  const { pod, podAddresses } = request
  const { hostNetwork, hostAliases } = pod.spec
  if (hostNetwork) return nodeHostsFile(await readFile(containerSettings(dependencies).hostsFile, 'utf8'), hostAliases)
  if (podAddresses.length === 0) return undefined
  return podHostsFile(podAddresses, podHostname(pod, dependencies.identity.clusterDomain), hostAliases)
}

function linuxContainer(request: ContainerRequest, dependencies: ContainerConfigDependencies) {
  const { pod, container, image, targetId } = request
  const { host, cpus } = dependencies
  const settings = containerSettings(dependencies)
  return {
    resources: containerResources({
      pod,
      container,
      host,
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
      thermalPaths: host.thermalPaths,
    }),
  }
}

/** Returns the CRI name of the stop signal: `SIGRTMIN+1` becomes `SIGRTMINPLUS1`. */
function stopSignalOf({ lifecycle }: Container): CriSignal {
  const name = lifecycle?.stopSignal?.replace('+', 'PLUS').replace('-', 'MINUS')
  return CriSignal.find((signal) => signal === name) ?? 'RUNTIME_DEFAULT'
}
