import { formatDuration, fromMilliseconds } from '../../base/duration.js'
import { containerSettings } from '../containers/container-config-dependencies.js'
import { standardThresholds } from '../node/thresholds.js'
import type { NodeDependencies } from '../node-dependencies.js'

/** Returns the settings of a node as upstream's KubeletConfiguration, for `/configz`. Durations are texts. */
export function kubeletConfiguration(dependencies: NodeDependencies): Readonly<Record<string, unknown>> {
  return {
    ...aboutServer(dependencies),
    ...aboutNode(dependencies),
    ...aboutPods(dependencies),
    ...aboutImages(dependencies),
  }
}

const second = 1000
const minute = 60 * second

function time(milliseconds: number): string {
  return formatDuration(fromMilliseconds(milliseconds))
}

function aboutServer({ options = {} }: NodeDependencies) {
  const { server } = options
  return {
    enableServer: server !== undefined,
    address: server?.address ?? '0.0.0.0',
    port: server?.port ?? 10_250,
    authentication: {
      webhook: { enabled: server?.tokens ?? true, cacheTTL: time(server?.tokenTtl ?? 2 * minute) },
      anonymous: { enabled: server?.anonymous ?? false },
    },
    authorization: {
      mode: server?.authorization ?? 'Webhook',
      webhook: {
        cacheAuthorizedTTL: time(server?.allowedTtl ?? 5 * minute),
        cacheUnauthorizedTTL: time(server?.deniedTtl ?? minute / 2),
      },
    },
  }
}

function aboutNode({ options = {}, identity }: NodeDependencies) {
  const { node = {}, cpus = {} } = options
  return {
    clusterDomain: identity.clusterDomain,
    clusterDNS: identity.clusterDns,
    registerNode: node.isRegistered ?? true,
    maxPods: node.maxPods ?? 110,
    podsPerCore: node.podsPerCore ?? 0,
    nodeStatusUpdateFrequency: time(node.statusUpdate ?? 10 * second),
    nodeStatusReportFrequency: time(node.statusReport ?? 5 * minute),
    nodeLeaseDurationSeconds: node.leaseDuration ?? 40,
    nodeStatusMaxImages: node.maxImages ?? 50,
    evictionHard: node.evictionHard ?? standardThresholds,
    systemReserved: node.systemReserved ?? {},
    kubeReserved: node.kubeReserved ?? {},
    cpuManagerPolicy: cpus.policy ?? 'none',
    cpuManagerReconcilePeriod: time(cpus.reconcilePeriod ?? 10 * second),
    ...(cpus.reserved && { reservedSystemCPUs: cpus.reserved.toString() }),
  }
}

function aboutPods(dependencies: NodeDependencies) {
  const { options = {}, identity, platform } = dependencies
  const { resources, resolverFile } = containerSettings({ identity, settings: options.containers })
  const { maxSize = 10 * 2 ** 20, maxFiles = 5, interval = 10 * second } = options.logs ?? {}
  return {
    ...(options.manifests !== undefined && { staticPodPath: options.manifests }),
    syncFrequency: time(options.kubelet?.resyncPeriod ?? 20 * second),
    podLogsDir: identity.podLogsFolder,
    containerLogMaxSize: String(maxSize),
    containerLogMaxFiles: maxFiles,
    containerLogMonitorInterval: time(interval),
    resolvConf: resolverFile,
    cpuCFSQuota: resources.cpuQuota,
    cpuCFSQuotaPeriod: time(resources.cpuPeriod / 1000),
    cgroupsPerQOS: platform.cgroups !== undefined && platform.cgroups.perQos !== false,
    cgroupRoot: platform.cgroups?.root ?? '/',
    cgroupDriver: platform.cgroups?.driver ?? 'cgroupfs',
    allowedUnsafeSysctls: options.unsafeSysctls ?? [],
  }
}

function aboutImages({ options = {} }: NodeDependencies) {
  const { pulls = {}, images = {} } = options
  const { atOnce = 1, perSecond = 5, burst = 10 } = pulls
  return {
    serializeImagePulls: atOnce === 1,
    ...(atOnce !== 1 && { maxParallelImagePulls: atOnce }),
    registryPullQPS: perSecond,
    registryBurst: burst,
    imageGCHighThresholdPercent: images.high ?? 85,
    imageGCLowThresholdPercent: images.low ?? 80,
    imageMinimumGCAge: time(images.minAge ?? 2 * minute),
  }
}
