import type { StatefulSet } from '../../../api/apps/v1/stateful-set.js'
import type { PersistentVolumeClaim } from '../../../api/core/v1/persistent-volume-claim.js'
import type { Describe } from '../context.js'
import { eventsOf } from '../events.js'
import { labelLines, labelsAndAnnotations } from '../metadata.js'
import type { DescriptionPage } from '../page.js'
import { listText, noneText, selectorQueryText } from '../text.js'
import { longTime } from '../times.js'
import { writePodTemplate } from './pod-template.js'
import { podCountsText } from './workload.js'

export const describeStatefulSet: Describe<StatefulSet> = async (set, on) => {
  const { page } = on
  const { metadata, spec, status } = set
  const selector = selectorQueryText(spec.selector)
  const counts = await podCountsText(set, selector, on)
  page.field('Name', metadata.name)
  page.field('Namespace', metadata.namespace)
  page.field('CreationTimestamp', longTime(metadata.creationTimestamp))
  page.field('Selector', selector)
  labelsAndAnnotations(page, metadata)
  page.field('Replicas', `${spec.replicas ?? 0} desired | ${status.replicas ?? 0} total`)
  page.field('Update Strategy', spec.updateStrategy?.type ?? '')
  const { partition, maxUnavailable } = spec.updateStrategy?.rollingUpdate ?? {}
  if (partition !== undefined) page.field('Partition', partition, 1)
  if (partition !== undefined && maxUnavailable !== undefined) page.field('MaxUnavailable', maxUnavailable, 1)
  page.field('Pods Status', counts)
  writePodTemplate(page, spec.template)
  writeClaimTemplates(page, spec.volumeClaimTemplates)
  await eventsOf(set, on)
}

function writeClaimTemplates(page: DescriptionPage, templates: readonly PersistentVolumeClaim[] = []): void {
  if (templates.length === 0) {
    page.field('Volume Claims', noneText)
    return
  }
  page.line(0, 'Volume Claims:')
  for (const { metadata, spec } of templates) {
    page.field('Name', metadata.name, 1)
    page.field('StorageClass', spec.storageClassName ?? '', 1)
    labelLines(page, 'Labels', metadata.labels, '  ')
    labelLines(page, 'Annotations', metadata.annotations, '  ')
    page.field('Capacity', spec.resources?.requests?.storage ?? '<default>', 1)
    page.field('Access Modes', listText(spec.accessModes), 1)
  }
}
