import { Job, type JobStatus } from '../../api/batch/v1/job.js'
import { Pod } from '../../api/core/v1/pod.js'
import type { TestCluster } from '../../testing/cluster.js'
import { isReady } from '../pods/readiness.js'
import { earlierFailures, failureCountAnnotation, isTracked } from './tracked-pods.js'

/** Jobs and their pods, a line each. */
export async function viewOfJobs({ client }: TestCluster): Promise<readonly string[]> {
  const jobs = await client.resource(Job).list()
  const pods = await client.resource(Pod).list()
  return [
    ...jobs.items.flatMap((job) => [`Job ${job.metadata.name}: ${countsOf(job.status)}`, ...conditionsOf(job.status)]),
    ...pods.items.map((pod) => `Pod ${pod.metadata.name}: ${stateOf(pod)}`),
  ]
}

function countsOf({ conditions: _, startTime, completionTime, ...counts }: JobStatus): string {
  const times = { started: startTime?.slice(11, 19), completed: completionTime?.slice(11, 19) }
  const shown = Object.entries({ ...times, ...counts }).filter(([, value]) => value !== undefined)
  return shown.map(([name, value]) => `${name} ${typeof value === 'object' ? JSON.stringify(value) : value}`).join(', ')
}

function conditionsOf({ conditions = [] }: JobStatus): readonly string[] {
  return conditions.map(({ type, status, reason, message, lastTransitionTime }) => {
    return `  ${type}=${status} since ${lastTransitionTime?.slice(11, 19)}, ${reason}: ${message}`
  })
}

function stateOf(pod: Pod): string {
  const { phase } = pod.status
  const { counted } = earlierFailures(pod)
  const said = [
    phase,
    isReady(pod) && 'ready',
    isTracked(pod) && 'tracked',
    pod.metadata.deletionTimestamp !== undefined && 'going',
    pod.metadata.annotations?.[failureCountAnnotation] !== undefined && `after ${counted} failures`,
  ]
  return said.filter(Boolean).join(', ')
}
