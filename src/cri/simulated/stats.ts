import type { PartialMessage } from '../interface/message.js'
import type { ContainerStats, PodSandboxStats } from '../interface/stats.js'
import type { SimulatedContainer } from './container.js'
import type { SimulatedSandbox } from './sandbox.js'

/** Returns the usage that the behaviour defines, for as long as the container runs. */
export function containerStats(container: SimulatedContainer, timestamp: bigint): PartialMessage<ContainerStats> {
  const { metadata, labels, annotations } = container.config
  const { cpu = 0, memory = 0, disk = 0 } = container.running ? (container.behaviour.usage ?? {}) : {}
  const nanosecondsRunning = container.running ? Number(timestamp - container.startedAt) : 0
  return {
    attributes: { id: container.id, metadata, labels, annotations },
    cpu: {
      timestamp,
      usageCoreNanoSeconds: { value: Math.round(cpu * nanosecondsRunning) },
      usageNanoCores: { value: Math.round(cpu * 1e9) },
    },
    memory: {
      timestamp,
      workingSetBytes: { value: memory },
      usageBytes: { value: memory },
      rssBytes: { value: memory },
    },
    writableLayer: {
      timestamp,
      fsId: { mountpoint: imageFolder },
      usedBytes: { value: disk },
      inodesUsed: { value: disk > 0 ? 1 : 0 },
    },
  }
}

/** The reported mount point of the image filesystem. */
export const imageFolder = '/var/lib/proa/simulated'

export function sandboxStats(
  sandbox: SimulatedSandbox,
  containers: readonly SimulatedContainer[],
  timestamp: bigint,
): PartialMessage<PodSandboxStats> {
  const { metadata, labels, annotations } = sandbox.config
  const stats = containers.filter(({ running }) => running).map((container) => containerStats(container, timestamp))
  const sum = (figure: (stats: PartialMessage<ContainerStats>) => number | undefined) => ({
    value: stats.reduce((total, one) => total + (figure(one) ?? 0), 0),
  })
  return {
    attributes: { id: sandbox.id, metadata, labels, annotations },
    linux: {
      cpu: {
        timestamp,
        usageCoreNanoSeconds: sum(({ cpu }) => cpu?.usageCoreNanoSeconds?.value),
        usageNanoCores: sum(({ cpu }) => cpu?.usageNanoCores?.value),
      },
      memory: {
        timestamp,
        workingSetBytes: sum(({ memory }) => memory?.workingSetBytes?.value),
        usageBytes: sum(({ memory }) => memory?.usageBytes?.value),
      },
      process: { timestamp, processCount: { value: stats.length + 1 } },
      containers: stats,
    },
  }
}
