import { ControllerRevision } from '../../api/apps/v1/controller-revision.js'
import { DaemonSet } from '../../api/apps/v1/daemon-set.js'
import { Pod } from '../../api/core/v1/pod.js'
import type { TestCluster } from '../../testing/cluster.js'
import { isReady } from '../pods/readiness.js'
import { nodeNameOf, revisionHashLabel } from './daemon-pod.js'

/** Sets, their revisions and their pods by node, a line each. Hashes are shown as the numbers of the revisions that have them. */
export async function viewOfDaemonSets({ client }: TestCluster): Promise<readonly string[]> {
  const sets = await client.resource(DaemonSet).list()
  const revisions = await client.resource(ControllerRevision).list()
  const pods = await client.resource(Pod).list()
  const numbers = new Map(revisions.items.map((each) => [each.metadata.labels?.[revisionHashLabel], each.revision]))
  return [
    ...sets.items.map(({ metadata, status }) => `DaemonSet ${metadata.name}: ${countsOf(status)}`),
    `Revisions: ${[...numbers.values()].sort().join()}`,
    ...pods.items.map((pod) => {
      const number = numbers.get(pod.metadata.labels?.[revisionHashLabel])
      const where = `${pod.spec.nodeName ? 'on' : 'for'} ${nodeNameOf(pod)}`
      return `Pod ${where}: ${pod.metadata.name}, revision ${number}, ${stateOf(pod)}`
    }),
  ]
}

function countsOf(status: DaemonSet['status']): string {
  const names: readonly (readonly [keyof DaemonSet['status'], string])[] = [
    ['desiredNumberScheduled', 'desired'],
    ['currentNumberScheduled', 'current'],
    ['updatedNumberScheduled', 'updated'],
    ['numberReady', 'ready'],
    ['numberAvailable', 'available'],
    ['numberUnavailable', 'unavailable'],
    ['numberMisscheduled', 'misscheduled'],
    ['observedGeneration', 'generation'],
  ]
  return names.map(([field, name]) => `${name} ${status[field] ?? 0}`).join(', ')
}

function stateOf(pod: Pod): string {
  const said = [pod.status.phase, isReady(pod) && 'ready', pod.metadata.deletionTimestamp !== undefined && 'going']
  return said.filter(Boolean).join(', ')
}
