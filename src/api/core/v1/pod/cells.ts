import type { JsonObject } from '../../../../schema/declaration.js'
import { declareTable, type TableCells } from '../../../../schema/schema.js'
import { age } from '../../../../schema/table.js'
import type { ContainerStatus } from '../container/status.js'
import { Pod } from '../pod.js'
import { isSidecar } from './resources.js'
import type { PodStatus } from './status.js'

/** The table row of a pod: ready containers, status, restarts, age, and location. */
export const podCells: TableCells<Pod> = {
  Ready: (pod) => {
    const { ready } = summaryOf(pod)
    const { containers, initContainers = [] } = pod.spec
    return `${ready}/${(containers ?? []).length + initContainers.filter(isSidecar).length}`
  },
  Status: (pod) => statusCell(pod),
  Restarts: (pod, now) => {
    const { restarts, lastRestart } = summaryOf(pod)
    return restarts > 0 && lastRestart ? `${restarts} (${age(lastRestart, now)} ago)` : `${restarts}`
  },
  IP: ({ status }) => status.podIPs?.[0]?.ip || '<none>',
  Node: ({ spec }) => spec.nodeName || '<none>',
  'Nominated Node': ({ status }) => status.nominatedNodeName || '<none>',
  'Readiness Gates': ({ spec: { readinessGates }, status }) => {
    if (!readinessGates?.length) return '<none>'
    return `${readinessGates.filter(({ conditionType }) => isTrue(status, conditionType)).length}/${readinessGates.length}`
  },
}

export const podTable = declareTable<Pod>(Pod, podCells, podRowConditions)

interface Summary {
  readonly reason: string
  readonly ready: number
  readonly restarts: number
  /** The end of the last container that was restarted. */
  readonly lastRestart: string | undefined
}

function statusCell(pod: Pod): string {
  const { metadata, status } = pod
  if (metadata.deletionTimestamp && status.reason === 'NodeLost') return 'Unknown'
  const isOver = status.phase === 'Succeeded' || status.phase === 'Failed'
  if (metadata.deletionTimestamp && !isOver) return 'Terminating'
  return summaryOf(pod).reason
}

/** During initialization the init containers determine the summary, afterwards the main containers and sidecars. */
function summaryOf(pod: Pod): Summary {
  const { status } = pod
  const start = initSummary(pod)
  if (start.reason !== undefined && !isTrue(status, 'Initialized')) return { ...start, reason: start.reason }
  return mainSummary(pod, start)
}

interface InitSummary extends Omit<Summary, 'reason'> {
  /** Undefined after initialization. */
  readonly reason: string | undefined
}

function initSummary({ spec, status }: Pod): InitSummary {
  const { initContainers = [] } = spec
  const sidecars = new Set(initContainers.filter(isSidecar).map(({ name }) => name))
  const seen: ContainerStatus[] = []
  let ready = 0
  for (const [i, container] of (status.initContainerStatuses ?? []).entries()) {
    seen.push(container)
    if (container.state?.terminated?.exitCode === 0) continue
    if (sidecars.has(container.name) && container.started) {
      if (container.ready) ready++
      continue
    }
    const reason = `Init:${initReason(container) ?? `${i}/${initContainers.length}`}`
    return { reason, ready, ...restartsOf(seen) }
  }
  return { reason: undefined, ready, ...restartsOf(seen) }
}

/** Undefined for an init container that is still running without a problem. */
function initReason({ state }: ContainerStatus): string | undefined {
  if (state?.terminated) return endReason(state.terminated)
  const waiting = state?.waiting?.reason
  return waiting && waiting !== 'PodInitializing' ? waiting : undefined
}

function endReason({
  reason,
  signal,
  exitCode,
}: NonNullable<NonNullable<ContainerStatus['state']>['terminated']>): string {
  if (reason) return reason
  return signal ? `Signal:${signal}` : `ExitCode:${exitCode}`
}

/** The first container that is not simply running gives the reason. */
function mainSummary({ spec, status }: Pod, start: InitSummary): Summary {
  const sidecarNames = new Set((spec.initContainers ?? []).filter(isSidecar).map(({ name }) => name))
  const sidecars = (status.initContainerStatuses ?? []).filter(({ name }) => sidecarNames.has(name))
  const containers = status.containerStatuses ?? []
  const running = containers.filter(isReadyAndRunning).length
  const reason = containers.map(containerReason).find((one) => one !== undefined) ?? start.reason ?? phaseReason(status)
  return {
    reason: reason === 'Completed' && running > 0 ? (isTrue(status, 'Ready') ? 'Running' : 'NotReady') : reason,
    ready: start.ready + running,
    ...restartsOf([...sidecars, ...containers]),
  }
}

function containerReason({ state }: ContainerStatus): string | undefined {
  if (state?.waiting?.reason) return state.waiting.reason
  return state?.terminated ? endReason(state.terminated) : undefined
}

function isReadyAndRunning(container: ContainerStatus): boolean {
  return containerReason(container) === undefined && container.ready && container.state?.running !== undefined
}

function phaseReason({ conditions = [], phase, reason }: PodStatus): string {
  const isGated = conditions.some((one) => one.type === 'PodScheduled' && one.reason === 'SchedulingGated')
  return isGated ? 'SchedulingGated' : reason || (phase ?? '')
}

function isTrue({ conditions = [] }: PodStatus, type: string): boolean {
  return conditions.find((condition) => condition.type === type)?.status === 'True'
}

function restartsOf(containers: readonly ContainerStatus[]): Pick<Summary, 'restarts' | 'lastRestart'> {
  let restarts = 0
  let lastRestart: string | undefined
  for (const { restartCount, lastState } of containers) {
    restarts += restartCount
    const finished = lastState?.terminated?.finishedAt
    if (finished && (lastRestart === undefined || finished > lastRestart)) lastRestart = finished
  }
  return { restarts, lastRestart }
}

/** Marks the rows of pods that have ended. */
export function podRowConditions({ status }: Pod): readonly JsonObject[] {
  if (status.phase === 'Succeeded')
    return [{ type: 'Completed', status: 'True', reason: 'Succeeded', message: 'The pod has completed successfully.' }]
  if (status.phase === 'Failed')
    return [{ type: 'Completed', status: 'True', reason: 'Failed', message: 'The pod failed.' }]
  return []
}
