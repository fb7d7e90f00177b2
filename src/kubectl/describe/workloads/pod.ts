import { qosClassOf } from '../../../api/core/v1/pod/qos.js'
import type { Pod } from '../../../api/core/v1/pod.js'
import type { Describe, DescribeContext } from '../context.js'
import { eventsOf } from '../events.js'
import { controllerText, labelLines, labelsAndAnnotations } from '../metadata.js'
import type { DescriptionPage } from '../page.js'
import { writeVolumes } from '../storage/volumes.js'
import { noneText } from '../text.js'
import { longTime } from '../times.js'
import { writeContainers, writeResources } from './containers.js'
import { writeTolerations, writeTopologySpread } from './pod-template.js'

const mirrorAnnotation = 'kubernetes.io/config.mirror'

export const describePod: Describe<Pod> = async (pod, on) => {
  const { page } = on
  const { metadata, spec } = pod
  writePlace(page, pod)
  labelsAndAnnotations(page, metadata)
  writePhase(pod, on)
  writeAddresses(page, pod)
  writePodContainers(page, pod)
  writeConditions(page, pod)
  writeVolumes(page, spec.volumes)
  page.field('QoS Class', pod.status.qosClass ?? qosClassOf(spec))
  labelLines(page, 'Node-Selectors', spec.nodeSelector)
  writeTolerations(page, 'Tolerations', spec.tolerations)
  writeTopologySpread(page, spec.topologySpreadConstraints)
  // A pod that stands for one of a node's own files is known to the node under another uid.
  const { [mirrorAnnotation]: uid = metadata.uid } = metadata.annotations ?? {}
  await eventsOf({ metadata: { ...metadata, ...(uid !== undefined && { uid }) } }, on)
}

function writePlace(page: DescriptionPage, { metadata, spec, status }: Pod): void {
  page.field('Name', metadata.name)
  page.field('Namespace', metadata.namespace)
  if (spec.priority !== undefined) page.field('Priority', spec.priority)
  if (spec.priorityClassName) page.field('Priority Class Name', spec.priorityClassName)
  if (spec.runtimeClassName) page.field('Runtime Class Name', spec.runtimeClassName)
  if (spec.serviceAccountName) page.field('Service Account', spec.serviceAccountName)
  page.field('Node', spec.nodeName ? `${spec.nodeName}/${status.hostIP ?? ''}` : noneText)
  if (status.startTime) page.field('Start Time', longTime(status.startTime))
}

function writePhase({ metadata, spec, status }: Pod, on: DescribeContext): void {
  const { page } = on
  const { deletionTimestamp, deletionGracePeriodSeconds = 0 } = metadata
  const { phase = '', reason, message } = status
  if (deletionTimestamp && phase !== 'Failed' && phase !== 'Succeeded') {
    page.field('Status', `Terminating (lasts ${on.since(deletionTimestamp)})`)
    page.field('Termination Grace Period', `${deletionGracePeriodSeconds}s`)
  } else page.field('Status', phase)
  if (reason) page.field('Reason', reason)
  if (message) page.field('Message', message)
  const profile = spec.securityContext?.seccompProfile
  if (!profile) return
  page.field('SeccompProfile', profile.type)
  if (profile.type === 'Localhost') page.field('LocalhostProfile', profile.localhostProfile ?? '')
}

function writeAddresses(page: DescriptionPage, { metadata, status }: Pod): void {
  const { podIP = '', podIPs = [], nominatedNodeName } = status
  page.field('IP', podIP)
  if (podIPs.length === 0) page.field('IPs', noneText)
  else page.line(0, 'IPs:')
  for (const { ip } of podIPs) page.field('IP', ip, 1)
  const controller = controllerText(metadata)
  if (controller !== '') page.field('Controlled By', controller)
  if (nominatedNodeName) page.field('NominatedNodeName', nominatedNodeName)
}

function writePodContainers(page: DescriptionPage, pod: Pod): void {
  const { spec, status } = pod
  const { initContainers = [], ephemeralContainers = [] } = spec
  const fieldValue = (path: string) => fieldValueOf(pod, path)
  if (spec.resources) {
    page.line(0, 'Resources:')
    writeResources(page, spec.resources, 1)
  }
  if (initContainers.length > 0)
    writeContainers(page, 'Init Containers', initContainers, { statuses: status.initContainerStatuses, fieldValue })
  writeContainers(page, 'Containers', spec.containers, { statuses: status.containerStatuses, fieldValue })
  if (ephemeralContainers.length > 0)
    writeContainers(page, 'Ephemeral Containers', ephemeralContainers, {
      statuses: status.ephemeralContainerStatuses,
      fieldValue,
    })
}

/** Only metadata is known to a client. */
function fieldValueOf({ metadata }: Pod, path: string): string {
  const { name = '', namespace = '' } = metadata
  return path === 'metadata.name' ? name : path === 'metadata.namespace' ? namespace : ''
}

function writeConditions(page: DescriptionPage, { spec, status }: Pod): void {
  const { conditions = [] } = status
  const { readinessGates = [] } = spec
  if (readinessGates.length > 0) {
    page.line(0, 'Readiness Gates:')
    page.line(1, 'Type', 'Status')
    for (const { conditionType } of readinessGates) {
      const found = conditions.find(({ type }) => type === conditionType)
      page.line(1, `${conditionType} `, `${found?.status ?? noneText} `)
    }
  }
  if (conditions.length === 0) return
  page.line(0, 'Conditions:')
  page.line(1, 'Type', 'Status')
  for (const { type, status: state } of conditions) page.line(1, `${type} `, `${state} `)
}
