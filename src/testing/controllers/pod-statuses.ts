import type { PodStatus } from '../../api/core/v1/pod/status.js'
import { Pod } from '../../api/core/v1/pod.js'
import { hasReason } from '../../api/errors.js'
import { formatTime } from '../../schema/values/time.js'
import type { TestCluster } from '../cluster.js'

export interface PodStatusOptions {
  readonly phase: 'Running' | 'Succeeded' | 'Failed'
  readonly isReady?: boolean
  readonly exitCode?: number
  readonly restarts?: number
  /** Names of further conditions with status True. */
  readonly conditions?: readonly string[]
}

/** Writes the status of each pod that `isSelected` selects, as a kubelet would. Returns the number of pods. */
export async function writePodStatuses(
  { client, environment }: TestCluster,
  isSelected: (pod: Pod) => boolean,
  options: PodStatusOptions,
): Promise<number> {
  const { items } = await client.resource(Pod).list()
  const selected = items.filter(isSelected)
  for (const pod of selected) {
    const { name, namespace } = pod.metadata
    const status = podStatusFrom(pod, options, formatTime(environment.clock.now()))
    // A patch of the status alone: meanwhile controllers may write other fields or delete the pod.
    const statuses = client.resource(Pod).in(namespace!).subresource('status')
    await statuses.patch(name!, 'merge', { status }).catch((error) => {
      if (!hasReason(error, 'NotFound')) throw error
    })
  }
  return selected.length
}

function podStatusFrom(pod: Pod, options: PodStatusOptions, time: string): PodStatus {
  const { phase, isReady = phase === 'Running', exitCode = phase === 'Failed' ? 1 : 0, restarts = 0 } = options
  const condition = (type: string, isTrue: boolean) => ({
    type,
    status: isTrue ? ('True' as const) : ('False' as const),
    lastProbeTime: null as never,
    lastTransitionTime: time,
  })
  const state =
    phase === 'Running'
      ? { running: { startedAt: time } }
      : { terminated: { exitCode, startedAt: time, finishedAt: time, reason: exitCode === 0 ? 'Completed' : 'Error' } }
  const containerStatuses = pod.spec.containers.map(({ name, image = '' }) => ({
    name,
    image,
    imageID: '',
    ready: isReady,
    restartCount: restarts,
    state,
    lastState: {},
  }))
  const others = (options.conditions ?? []).map((type) => condition(type, true))
  return { phase, containerStatuses, conditions: [condition('Ready', isReady), ...others] } as PodStatus
}

/** Deletes terminating pods for good, as a kubelet does after their containers have stopped. */
export async function finishPodDeletions({ client }: TestCluster): Promise<void> {
  const pods = client.resource(Pod)
  for (const { metadata } of (await pods.list()).items)
    if (metadata.deletionTimestamp !== undefined)
      await pods.in(metadata.namespace!).delete(metadata.name!, { gracePeriodSeconds: 0 })
}
