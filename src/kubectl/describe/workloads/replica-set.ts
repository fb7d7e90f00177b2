import type { ReplicaSet } from '../../../api/apps/v1/replica-set.js'
import type { ReplicationController } from '../../../api/core/v1/replication-controller.js'
import { ApiError } from '../../../api/errors.js'
import { LabelSelector, labelSelectorText } from '../../../api/selectors/label-selector.js'
import type { Describe, DescribeContext } from '../context.js'
import { eventsOf } from '../events.js'
import { controllerText, labelsAndAnnotations } from '../metadata.js'
import { pairsText, selectorQueryText } from '../text.js'
import { writePodTemplate } from './pod-template.js'
import { podCountsText, writeConditionReasons } from './workload.js'

export const describeReplicaSet: Describe<ReplicaSet> = async (set, on) => {
  const { page } = on
  const { metadata, spec, status } = set
  page.field('Name', metadata.name)
  page.field('Namespace', metadata.namespace)
  page.field('Selector', labelSelectorText(spec.selector))
  labelsAndAnnotations(page, metadata)
  const controller = controllerText(metadata)
  if (controller !== '') page.field('Controlled By', controller)
  page.field('Replicas', `${status.replicas ?? 0} current / ${spec.replicas ?? 0} desired`)
  page.field('Pods Status', await countsOrError(set, on))
  writePodTemplate(page, spec.template)
  writeConditionReasons(page, status.conditions)
  await eventsOf(set, on)
}

async function countsOrError(set: ReplicaSet, on: DescribeContext): Promise<string> {
  try {
    return await podCountsText(set, selectorQueryText(set.spec.selector), on)
  } catch (error) {
    if (error instanceof ApiError) return `error in fetching pods: ${error.message}`
    throw error
  }
}

export const describeReplicationController: Describe<ReplicationController> = async (controller, on) => {
  const { page } = on
  const { metadata, spec, status } = controller
  const counts = await podCountsText(controller, LabelSelector.ofLabels(spec.selector ?? {}).toString(), on)
  page.field('Name', metadata.name)
  page.field('Namespace', metadata.namespace)
  page.field('Selector', pairsText(spec.selector))
  labelsAndAnnotations(page, metadata)
  page.field('Replicas', `${status.replicas ?? 0} current / ${spec.replicas ?? 0} desired`)
  page.field('Pods Status', counts)
  writePodTemplate(page, spec.template)
  writeConditionReasons(page, status.conditions)
  await eventsOf(controller, on)
}
