import { type Clock, sleep } from '../../base/clock.js'
import type { JsonObject } from '../../schema/declaration.js'
import { compareText } from '../../schema/text-order.js'
import { formatTime } from '../../schema/values/time.js'
import { fillPlaceholders } from '../golden/placeholders.js'
import { pathOf } from './resource-paths.js'
import type { PodStatusStep, ScenarioVariables } from './scenario.js'
import type { ScenarioContext } from './scenario-context.js'

/** The fields of a pod that are used here. */
interface ScriptedPod {
  readonly metadata: { readonly name: string; readonly uid: string; readonly deletionTimestamp?: string }
  readonly spec: { readonly containers: readonly { readonly name: string; readonly image: string }[] }
  readonly status: { readonly phase: string; readonly startTime?: string }
}

/** Writes the pod statuses that kubelets would write, without running anything. */
export class ScriptedKubelet {
  readonly #context: ScenarioContext
  /** The last state written for each pod, by uid. */
  readonly #states = new Map<string, string>()
  /** The number of the next address: every pod has its own. */
  #addresses = 1

  constructor(context: ScenarioContext) {
    this.#context = context
  }

  /** Waits for pods that do not have the state yet, and writes it. Throws if there are too few in time. */
  async writeStatuses(step: PodStatusStep, variables: ScenarioVariables): Promise<void> {
    const { clock } = this.#context
    const { count = 1, timeout = 30 } = step
    const end = clock.monotonic() + timeout * 1000
    for (let done = 0; ; await sleep(clock, 100)) {
      for (const pod of await this.#selectedPods(step, variables)) {
        if (step.count !== undefined && done >= count) break
        if (await this.#write(pod, step, variables)) done++
      }
      if (done >= count) return
      if (clock.monotonic() > end)
        throw new Error(`pod status of ${step.podStatus}: there are ${done} pods of ${count}`)
    }
  }

  async #selectedPods(step: PodStatusStep, variables: ScenarioVariables): Promise<readonly ScriptedPod[]> {
    const selector = new URLSearchParams({ labelSelector: fillPlaceholders(step.podStatus, variables) })
    const { body } = await this.#context.requests.send({ path: pathOf(`pods?${selector}`, variables) })
    const { items = [] } = body as unknown as { readonly items?: readonly ScriptedPod[] }
    return items
      .filter(({ metadata, status }) => !metadata.deletionTimestamp && !hasEnded(status.phase))
      .filter(({ metadata }) => this.#states.get(metadata.uid) !== stateOf(step))
      .toSorted((one, other) => compareText(one.metadata.name, other.metadata.name))
  }

  async #write(pod: ScriptedPod, step: PodStatusStep, variables: ScenarioVariables): Promise<boolean> {
    const { requests, clock } = this.#context
    const isRunning = (step.phase ?? 'Running') === 'Running'
    const address = step.ip ?? (isRunning ? this.#newAddress() : undefined)
    const { status } = await requests.send({
      method: 'PATCH',
      path: pathOf(`pods/${pod.metadata.name}/status`, variables),
      type: 'application/strategic-merge-patch+json',
      body: { status: statusOf(pod, { step, clock, address }) },
    })
    if (status !== 200) return false // deleted meanwhile
    this.#states.set(pod.metadata.uid, stateOf(step))
    return true
  }

  #newAddress(): string {
    const number = this.#addresses++
    return `10.1.${number >> 8}.${number & 255}`
  }
}

function stateOf({ phase = 'Running', ready = true }: PodStatusStep): string {
  return `${phase} ${ready}`
}

function hasEnded(phase: string): boolean {
  return phase === 'Succeeded' || phase === 'Failed'
}

interface PodStatusInput {
  readonly step: PodStatusStep
  readonly clock: Clock
  readonly address: string | undefined
}

/** All containers get the same state. */
function statusOf(pod: ScriptedPod, { step, clock, address }: PodStatusInput): JsonObject {
  const { phase = 'Running', ready = true, exit = 0, reason } = step
  const now = formatTime(clock.now())
  const isReady = phase === 'Running' && ready
  const notReady = hasEnded(phase) ? 'PodCompleted' : 'ContainersNotReady'
  const condition = (type: string, isTrue: boolean) => ({
    type,
    status: isTrue ? 'True' : 'False',
    lastProbeTime: null,
    lastTransitionTime: now,
    ...(!isTrue && { reason: notReady }),
  })
  return {
    phase,
    startTime: pod.status.startTime ?? now,
    ...(reason && { reason }),
    ...(address && { podIP: address, podIPs: [{ ip: address }] }),
    conditions: [
      condition('Initialized', true),
      condition('Ready', isReady),
      condition('ContainersReady', isReady),
      condition('PodScheduled', true),
    ],
    containerStatuses: pod.spec.containers.map(({ name, image }) => ({
      name,
      image,
      imageID: '',
      ready: isReady,
      started: phase === 'Running',
      restartCount: 0,
      state: containerState(phase, exit, now),
    })),
  }
}

function containerState(phase: string, exitCode: number, now: string): JsonObject {
  if (phase === 'Running') return { running: { startedAt: now } }
  if (!hasEnded(phase)) return { waiting: { reason: 'ContainerCreating' } }
  return { terminated: { exitCode, reason: exitCode === 0 ? 'Completed' : 'Error', startedAt: now, finishedAt: now } }
}
