import type { DaemonSet } from '../../../api/apps/v1/daemon-set.js'
import type { Describe } from '../context.js'
import { eventsOf } from '../events.js'
import { labelsAndAnnotations } from '../metadata.js'
import { pairsText, selectorQueryText } from '../text.js'
import { writePodTemplate } from './pod-template.js'
import { podCountsText } from './workload.js'

export const describeDaemonSet: Describe<DaemonSet> = async (set, on) => {
  const { page } = on
  const { metadata, spec, status } = set
  const selector = selectorQueryText(spec.selector)
  const counts = await podCountsText(set, selector, on)
  page.field('Name', metadata.name)
  page.field('Selector', selector)
  page.field('Node-Selector', pairsText(spec.template.spec?.nodeSelector))
  labelsAndAnnotations(page, metadata)
  page.line(0, `Desired Number of Nodes Scheduled: ${status.desiredNumberScheduled ?? 0}`)
  page.line(0, `Current Number of Nodes Scheduled: ${status.currentNumberScheduled ?? 0}`)
  page.line(0, `Number of Nodes Scheduled with Up-to-date Pods: ${status.updatedNumberScheduled ?? 0}`)
  page.line(0, `Number of Nodes Scheduled with Available Pods: ${status.numberAvailable ?? 0}`)
  page.line(0, `Number of Nodes Misscheduled: ${status.numberMisscheduled ?? 0}`)
  page.field('Pods Status', counts)
  writePodTemplate(page, spec.template)
  await eventsOf(set, on)
}
