import { formatDuration, fromMilliseconds } from '../../base/duration.js'
import { settingsOf } from '../containers/container-config-parts.js'
import { standardThresholds } from '../node/thresholds.js'
import type { NodeParts } from '../node-parts.js'

/** How a node is set, under the names of upstream's KubeletConfiguration: what `/configz` shows. Lengths of time are texts. */
export function kubeletConfiguration(parts: NodeParts): Readonly<Record<string, unknown>> {
  return { ...aboutServer(parts), ...aboutNode(parts), ...aboutPods(parts), ...aboutImages(parts) }
}

const second = 1000
const minute = 60 * second

function time(milliseconds: number): string {
  return formatDuration(fromMilliseconds(milliseconds))
}

function aboutServer({ options = {} }: NodeParts) {
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

function aboutNode({ options = {}, identity }: NodeParts) {
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

function aboutPods(parts: NodeParts) {
  const { options = {}, identity, ground } = parts
  const { resources, resolverFile } = settingsOf({ identity, settings: options.containers })
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
    cgroupsPerQOS: ground.cgroups !== undefined && ground.cgroups.perQos !== false,
    cgroupRoot: ground.cgroups?.root ?? '/',
    cgroupDriver: ground.cgroups?.driver ?? 'cgroupfs',
    allowedUnsafeSysctls: options.unsafeSysctls ?? [],
  }
}

function aboutImages({ options = {} }: NodeParts) {
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
