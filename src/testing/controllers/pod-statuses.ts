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
  /** Further conditions that are true. */
  readonly conditions?: readonly string[]
}

/** Does what a kubelet would: writes the status of each pod that is meant. Gives how many there were. */
export async function writePodStatuses(
  { client, environment }: TestCluster,
  isMeant: (pod: Pod) => boolean,
  play: PodStatusOptions,
): Promise<number> {
  const { items } = await client.resource(Pod).list()
  const meant = items.filter(isMeant)
  for (const pod of meant) {
    const { name, namespace } = pod.metadata
    const status = podStatusFrom(pod, play, formatTime(environment.clock.now()))
    // A patch of nothing else: meanwhile others write what is theirs, or delete the pod.
    const statuses = client.resource(Pod).in(namespace!).subresource('status')
    await statuses.patch(name!, 'merge', { status }).catch((error) => {
      if (!hasReason(error, 'NotFound')) throw error
    })
  }
  return meant.length
}

function podStatusFrom(pod: Pod, play: PodStatusOptions, time: string): PodStatus {
  const { phase, isReady = phase === 'Running', exitCode = phase === 'Failed' ? 1 : 0, restarts = 0 } = play
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
  const others = (play.conditions ?? []).map((type) => condition(type, true))
  return { phase, containerStatuses, conditions: [condition('Ready', isReady), ...others] } as PodStatus
}

/** As a kubelet does when all that ran in them has stopped. */
export async function finishPodDeletions({ client }: TestCluster): Promise<void> {
  const pods = client.resource(Pod)
  for (const { metadata } of (await pods.list()).items)
    if (metadata.deletionTimestamp !== undefined)
      await pods.in(metadata.namespace!).delete(metadata.name!, { gracePeriodSeconds: 0 })
}
