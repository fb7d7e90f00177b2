import type { Deployment } from '../../../api/apps/v1/deployment.js'
import type { ReplicaSet } from '../../../api/apps/v1/replica-set.js'
import type { PodTemplateSpec } from '../../../api/core/v1/pod-template.js'
import { ApiError } from '../../../api/errors.js'
import { sameJson } from '../../../schema/json-value.js'
import { compareText } from '../../../schema/text-order.js'
import { resourcePath } from '../../resources/resource-object.js'
import type { Describe, DescribeContext } from '../context.js'
import { eventsOf } from '../events.js'
import { labelsAndAnnotations } from '../metadata.js'
import { noneText, selectorQueryText } from '../text.js'
import { longTime } from '../times.js'
import { writePodTemplate } from './pod-template.js'
import { writeConditionReasons } from './workload.js'

export const describeDeployment: Describe<Deployment> = async (deployment, on) => {
  const { page } = on
  const { metadata, spec, status } = deployment
  page.field('Name', metadata.name)
  page.field('Namespace', metadata.namespace)
  page.field('CreationTimestamp', longTime(metadata.creationTimestamp))
  labelsAndAnnotations(page, metadata)
  page.field('Selector', selectorQueryText(spec.selector))
  page.field('Replicas', replicasText(deployment))
  page.field('StrategyType', spec.strategy?.type ?? '')
  page.field('MinReadySeconds', spec.minReadySeconds ?? 0)
  const { rollingUpdate } = spec.strategy ?? {}
  if (rollingUpdate) {
    const { maxUnavailable = '', maxSurge = '' } = rollingUpdate
    page.field('RollingUpdateStrategy', `${maxUnavailable} max unavailable, ${maxSurge} max surge`)
  }
  writePodTemplate(page, spec.template)
  writeConditionReasons(page, status.conditions)
  await writeReplicaSets(deployment, on)
  await eventsOf(deployment, on)
}

function replicasText({ spec, status }: Deployment): string {
  const { updatedReplicas = 0, replicas = 0, availableReplicas = 0, unavailableReplicas = 0 } = status
  const now = `${updatedReplicas} updated | ${replicas} total | ${availableReplicas} available`
  return `${spec.replicas ?? 0} desired | ${now} | ${unavailableReplicas} unavailable`
}

async function writeReplicaSets(deployment: Deployment, on: DescribeContext): Promise<void> {
  const owned = await replicaSetsOf(deployment, on)
  if (owned.length === 0) return
  const byAge = [...owned].sort(
    (left, right) =>
      compareText(left.metadata.creationTimestamp ?? '', right.metadata.creationTimestamp ?? '') ||
      compareText(left.metadata.name ?? '', right.metadata.name ?? ''),
  )
  const current = byAge.find(({ spec }) => sameTemplate(spec.template, deployment.spec.template))
  on.page.field('OldReplicaSets', replicaSetsText(owned.filter((each) => each !== current)))
  on.page.field('NewReplicaSet', replicaSetsText(current ? [current] : []))
}

/** None if the user may not list them. */
async function replicaSetsOf({ metadata, spec }: Deployment, on: DescribeContext): Promise<readonly ReplicaSet[]> {
  const path = resourcePath({ root: '/apis/apps/v1', plural: 'replicasets', namespaced: true }, metadata.namespace)
  try {
    const all = await on.list<ReplicaSet>(path, { labelSelector: selectorQueryText(spec.selector) })
    return all.filter(({ metadata: { ownerReferences = [] } }) =>
      ownerReferences.some(({ controller, uid }) => controller && uid === metadata.uid),
    )
  } catch (error) {
    if (error instanceof ApiError) return []
    throw error
  }
}

/** Compares templates without the `pod-template-hash` label. */
function sameTemplate(left: PodTemplateSpec | undefined, right: PodTemplateSpec | undefined): boolean {
  return sameJson(withoutHash(left), withoutHash(right))
}

function withoutHash(template: PodTemplateSpec | undefined): unknown {
  const { 'pod-template-hash': _, ...labels } = template?.metadata?.labels ?? {}
  return { ...template, metadata: { ...template?.metadata, labels } }
}

function replicaSetsText(sets: readonly ReplicaSet[]): string {
  const texts = sets.map(
    ({ metadata, spec, status }) => `${metadata.name} (${status.replicas ?? 0}/${spec.replicas ?? 0} replicas created)`,
  )
  return texts.length === 0 ? noneText : texts.join(', ')
}
