import { Deployment } from '../../api/apps/v1/deployment.js'
import { ReplicaSet } from '../../api/apps/v1/replica-set.js'
import { Event } from '../../api/core/v1/event.js'
import { ReplicationController } from '../../api/core/v1/replication-controller.js'
import type { Client } from '../../client/client.js'
import type { Informer, SharedInformers } from '../../client/informers/informer.js'
import type { AnyObject } from '../../client/resource-client.js'
import { controllerOf } from '../runtime/owners.js'

/** What is to be seen of workloads. */
export class WorkloadView {
  readonly #deployments: Informer<Deployment & AnyObject>
  readonly #replicaSets: Informer<ReplicaSet & AnyObject>
  readonly #controllers: Informer<ReplicationController & AnyObject>
  #seen = { revisions: '', lines: [] as readonly string[] }

  constructor(informers: SharedInformers) {
    this.#deployments = informers.of(Deployment)
    this.#replicaSets = informers.of(ReplicaSet)
    this.#controllers = informers.of(ReplicationController)
  }

  /** One line for each Deployment, ReplicaSet and ReplicationController that has no owner. */
  lines(): readonly string[] {
    const revisions = [this.#deployments, this.#replicaSets, this.#controllers].map(({ revision }) => revision).join()
    if (revisions !== this.#seen.revisions) this.#seen = { revisions, lines: this.#look() }
    return this.#seen.lines
  }

  #look(): readonly string[] {
    const replicaSets = [...this.#replicaSets.list()]
    const alone = [...replicaSets.filter((each) => !controllerOf(each)), ...this.#controllers.list()]
    return [
      ...[...this.#deployments.list()].map((each) => deploymentLine(each, replicaSets)),
      ...alone.map((each) => `${each.metadata.name}: ${replicasText(each)}`),
    ]
  }
}

function deploymentLine(deployment: Deployment, replicaSets: readonly ReplicaSet[]): string {
  const { metadata, status } = deployment
  const own = replicaSets.filter((each) => controllerOf(each)?.uid === metadata.uid).sort(byRevision)
  const sets = own.filter(isOfInterest).map((each) => `${imageOf(each)} ${replicasText(each)}`)
  const conditions = (status.conditions ?? []).map(({ type, status: is, reason }) =>
    type === 'Progressing' ? reason! : `${is === 'True' ? '' : 'not '}${type}`,
  )
  return `${metadata.name}: ${[sets.join(', '), conditions.sort().join(', ')].join(' | ')}`
}

function isOfInterest({ spec, status }: ReplicaSet): boolean {
  return (spec.replicas ?? 0) + status.replicas + (status.terminatingReplicas ?? 0) > 0
}

function byRevision(left: ReplicaSet, right: ReplicaSet): number {
  return revisionOf(left) - revisionOf(right)
}

function revisionOf({ metadata }: AnyObject): number {
  return Number(metadata.annotations?.['deployment.kubernetes.io/revision'] ?? 0)
}

function imageOf({ spec }: ReplicaSet): string {
  return spec.template?.spec?.containers[0]?.image ?? ''
}

/** `3 of 4, 2 ready, 1 available, 1 going` */
function replicasText({ spec, status }: ReplicaSet | ReplicationController): string {
  const { replicas, readyReplicas = 0, availableReplicas = 0 } = status
  const going = 'terminatingReplicas' in status ? (status.terminatingReplicas ?? 0) : 0
  const failure = status.conditions?.find(({ type }) => type === 'ReplicaFailure')
  return [
    `${replicas} of ${spec.replicas}`,
    ...(readyReplicas > 0 ? [`${readyReplicas} ready`] : []),
    ...(availableReplicas !== readyReplicas ? [`${availableReplicas} available`] : []),
    ...(going > 0 ? [`${going} going`] : []),
    ...(failure ? [`${failure.reason}: ${withoutSuffixes(failure.message ?? '')}`] : []),
  ].join(', ')
}

/** Parts of objects, `metadata.annotations`, one line each. */
export function objectLines(objects: readonly AnyObject[], fields: readonly string[]): readonly string[] {
  return objects.flatMap((object) =>
    fields.map((field) => {
      const value = field.split('.').reduce<unknown>((part, name) => (part as Record<string, unknown>)?.[name], object)
      const text = JSON.stringify(value)?.replace(uids, '<uid>') ?? 'none'
      return withoutSuffixes(`${object.metadata.name} ${field.split('.').at(-1)} ${text}`)
    }),
  )
}

const uids = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g

/** What happened, with random options of names left out; the same things once, with how often. */
export async function eventLines(client: Client, namespace: string): Promise<readonly string[]> {
  const { items } = await client.resource(Event).in(namespace).list()
  const counts = new Map<string, number>()
  for (const { involvedObject, type, reason, message, count = 1 } of [...items].sort(byRevisionOfFirst)) {
    const text = `${involvedObject.kind}/${involvedObject.name} ${type} ${reason} ${withoutSuffixes(message ?? '')}`
    counts.set(text, (counts.get(text) ?? 0) + count)
  }
  return [...counts].map(([text, count]) => (count === 1 ? text : `${text} (${count} times)`))
}

function byRevisionOfFirst(left: Event, right: Event): number {
  const [one, other] = [left.firstTimestamp ?? '', right.firstTimestamp ?? '']
  if (one !== other) return one < other ? -1 : 1
  return left.metadata.name! < right.metadata.name! ? -1 : 1
}

/** Generated names end in five characters of this alphabet. */
function withoutSuffixes(text: string): string {
  return text.replace(/(?<=[a-z0-9]-)[bcdfghjklmnpqrstvwxz2456789]{5}(?![\w-])/g, '?????')
}
