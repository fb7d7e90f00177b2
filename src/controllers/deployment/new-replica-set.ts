import type { Deployment } from '../../api/apps/v1/deployment.js'
import { ReplicaSet } from '../../api/apps/v1/replica-set.js'
import { hasReason } from '../../api/errors.js'
import type { JsonValue } from '../../schema/declaration.js'
import { sameJson } from '../../schema/json-value.js'
import { quote } from '../../schema/quote.js'
import { isNamespaceTerminating } from '../pods/pod-writes.js'
import { templateHash, templateHashLabel } from '../pods/template.js'
import { controllerReference, isControlledBy } from '../runtime/owners.js'
import { conditionOf, type Said } from './conditions.js'
import type { Look } from './look.js'
import { progressDeadline } from './progress.js'
import { isSameTemplate, type ReplicaSets, sizeOf, sum } from './replica-sets.js'
import { annotationsOfNew, highestRevision, revisionAnnotation, sizeAnnotations } from './revisions.js'
import { sizeOfNew } from './rolling-sizes.js'

/** The new ReplicaSet with everything on it that it ought to say, and the revision on the Deployment, too. */
export async function noteRevision(look: Look, { current, old }: ReplicaSets): Promise<ReplicaSets> {
  if (!current) return { current, old }
  const noted = await noteOnReplicaSet(look, current, highestRevision(old) + 1)
  await noteOnDeployment(look, noted.metadata.annotations?.[revisionAnnotation], {
    type: 'Progressing',
    status: 'True',
    reason: 'FoundNewReplicaSet',
    message: `Found new replica set ${quote(noted.metadata.name!)}`,
  })
  return { current: noted, old }
}

async function noteOnReplicaSet(
  { deployment, context }: Look,
  current: ReplicaSet,
  revision: number,
): Promise<ReplicaSet> {
  const { minReadySeconds = 0 } = deployment.spec
  const annotations = annotationsOfNew(deployment, current, revision)
  const isNoted = sameJson(annotations, (current.metadata.annotations ?? {}) as JsonValue)
  if (isNoted && (current.spec.minReadySeconds ?? 0) === minReadySeconds) return current
  const { metadata, spec } = current
  const changed = { ...current, metadata: { ...metadata, annotations }, spec: { ...spec, minReadySeconds } }
  return await context.client.resource(ReplicaSet).in(metadata.namespace!).update(changed)
}

/** A Deployment that tells nothing of its progress yet begins to. */
async function noteOnDeployment(look: Look, revision: string | undefined, said: Said): Promise<void> {
  const { deployment } = look
  const begins = progressDeadline(deployment) !== undefined && !conditionOf(deployment.status, 'Progressing')
  const status = begins ? look.statusWith(said) : deployment.status
  await look.writeStatus(status, withRevision(deployment, revision))
}

function withRevision({ metadata }: Deployment, revision: string | undefined) {
  return { ...metadata.annotations, ...(revision !== undefined && { [revisionAnnotation]: revision }) }
}

/** With a new ReplicaSet, which is made if there is none. */
export async function withNew(look: Look, replicaSets: ReplicaSets): Promise<ReplicaSets & { current: ReplicaSet }> {
  const { current, old } = await noteRevision(look, replicaSets)
  return { current: current ?? (await makeNew(look, old)), old }
}

async function makeNew(look: Look, old: readonly ReplicaSet[]): Promise<ReplicaSet> {
  const revision = highestRevision(old) + 1
  const planned = newReplicaSet(look.deployment, { revision, total: sum(old, sizeOf) })
  const made = await created(look, planned)
  const annotations = withRevision(look.deployment, String(revision))
  if (made.isFound) {
    await look.writeStatus(look.deployment.status, annotations)
    return made.replicaSet
  }
  const { name } = made.replicaSet.metadata
  const size = sizeOf(made.replicaSet)
  if (size > 0) look.tellScaled(made.replicaSet, 0, size)
  const message = `Created new replica set ${quote(name!)}`
  const said: Said = { type: 'Progressing', status: 'True', reason: 'NewReplicaSetCreated', message }
  const hasDeadline = progressDeadline(look.deployment) !== undefined
  await look.writeStatus(hasDeadline ? look.statusWith(said) : look.deployment.status, annotations)
  return made.replicaSet
}

/** The ReplicaSet for the template as it is; `total` pods are there already. */
export function newReplicaSet(
  deployment: Deployment,
  { revision, total }: { readonly revision: number; readonly total: number },
) {
  const { template, selector, minReadySeconds } = deployment.spec
  const hash = templateHash(template, deployment.status.collisionCount)
  const labels = { ...template.metadata?.labels, [templateHashLabel]: hash }
  const { name, namespace } = deployment.metadata
  const metadata = {
    name: `${name!.slice(0, longestName - 1 - hash.length)}-${hash}`,
    namespace: namespace!,
    labels,
    ownerReferences: [controllerReference(deployment)],
  }
  const annotations = { ...annotationsOfNew(deployment, { metadata }, revision), ...sizeAnnotations(deployment) }
  return {
    metadata: { ...metadata, annotations },
    spec: {
      replicas: sizeOfNew(deployment, 0, total),
      ...(minReadySeconds && { minReadySeconds }),
      selector: { ...selector, matchLabels: { ...selector.matchLabels, [templateHashLabel]: hash } },
      template: { ...template, metadata: { ...template.metadata, labels } },
    },
  }
}

const longestName = 253

interface Made {
  readonly replicaSet: ReplicaSet
  /** It was there already: somebody was faster, or this very loop before it was killed. */
  readonly isFound: boolean
}

async function created(look: Look, planned: ReturnType<typeof newReplicaSet>): Promise<Made> {
  try {
    const replicaSets = look.context.client.resource(ReplicaSet).in(planned.metadata.namespace)
    return { replicaSet: await replicaSets.create(planned), isFound: false }
  } catch (error) {
    if (hasReason(error, 'AlreadyExists')) return await foundOrCollided(look, planned.metadata.name, error)
    if (!isNamespaceTerminating(error)) await tellFailed(look, planned.metadata.name, error)
    throw error
  }
}

/** What has the name may be what was wanted. If not, two templates have the same hash, and the next attempt takes another. */
async function foundOrCollided(look: Look, name: string, error: Error): Promise<Made> {
  const { deployment, context } = look
  const found = await context.client.resource(ReplicaSet).in(deployment.metadata.namespace!).get(name)
  const isWanted = isControlledBy(found, deployment) && isSameTemplate(found.spec.template, deployment.spec.template)
  if (isWanted) return { replicaSet: found, isFound: true }
  const { status } = deployment
  await look.writeStatus({ ...status, collisionCount: (status.collisionCount ?? 0) + 1 })
  throw error
}

async function tellFailed(look: Look, name: string, error: unknown): Promise<void> {
  const why = error instanceof Error ? error.message : String(error)
  const message = `Failed to create new replica set ${quote(name)}: ${why}`
  const reason = 'ReplicaSetCreateError'
  look.tell('Warning', reason, message)
  if (progressDeadline(look.deployment) === undefined) return
  await look.writeStatus(look.statusWith({ type: 'Progressing', status: 'False', reason, message }))
}
