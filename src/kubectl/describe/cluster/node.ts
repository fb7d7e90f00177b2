import type { Lease } from '../../../api/coordination/v1/lease.js'
import type { Node } from '../../../api/core/v1/node.js'
import type { Pod } from '../../../api/core/v1/pod.js'
import { ApiError, hasReason } from '../../../api/errors.js'
import { compareText } from '../../../schema/text-order.js'
import type { Describe, DescribeContext } from '../context.js'
import { findEvents, writeEvents } from '../events.js'
import { labelsAndAnnotations } from '../metadata.js'
import type { DescriptionPage } from '../page.js'
import { noneText, sortedKeys, unsetText } from '../text.js'
import { longTime } from '../times.js'
import { writeNodePods } from './node-pods.js'

const rolePrefix = 'node-role.kubernetes.io/'

export const describeNode: Describe<Node> = async (node, on) => {
  const { page } = on
  const { metadata, spec } = node
  const pods = await podsOn(node, on)
  page.field('Name', metadata.name)
  page.field('Roles', rolesOf(node).join(',') || noneText)
  labelsAndAnnotations(page, metadata)
  page.field('CreationTimestamp', longTime(metadata.creationTimestamp))
  writeTaints(page, node)
  page.field('Unschedulable', spec.unschedulable ?? false)
  await writeLease(node, on)
  writeConditions(page, node)
  writeMachine(page, node)
  if (spec.podCIDR) page.field('PodCIDR', spec.podCIDR)
  if ((spec.podCIDRs ?? []).length > 0) page.field('PodCIDRs', spec.podCIDRs!.join(','))
  if (spec.providerID) page.field('ProviderID', spec.providerID)
  if (pods) writeNodePods(node, pods, on)
  else page.field('Pods', 'not authorized')
  await writeNodeEvents(node, on)
}

/** Undefined if the user may not list pods. */
async function podsOn({ metadata: { name = '' } }: Node, on: DescribeContext): Promise<readonly Pod[] | undefined> {
  const fieldSelector = `spec.nodeName=${name},status.phase!=Failed,status.phase!=Succeeded`
  try {
    return await on.list<Pod>('/api/v1/pods', { fieldSelector })
  } catch (error) {
    if (hasReason(error, 'Forbidden')) return undefined
    throw error
  }
}

function rolesOf({ metadata: { labels = {} } }: Node): readonly string[] {
  const roles = Object.entries(labels).map(([key, value]) =>
    key.startsWith(rolePrefix) ? key.slice(rolePrefix.length) : key === 'kubernetes.io/role' ? value : '',
  )
  return [...new Set(roles)].filter((role) => role !== '').sort(compareText)
}

function writeTaints(page: DescriptionPage, { spec: { taints = [] } }: Node): void {
  const sorted = [...taints].sort((left, right) =>
    compareText(`${left.effect},${left.key}`, `${right.effect},${right.key}`),
  )
  page.lines(
    'Taints',
    sorted.map(({ key, value, effect }) => `${key}${value ? `=${value}` : ''}:${effect}`),
  )
}

async function writeLease({ metadata: { name = '' } }: Node, { page, rest }: DescribeContext): Promise<void> {
  const path = `/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/${encodeURIComponent(name)}`
  try {
    const { spec } = await rest.json<Lease>({ path })
    page.line(0, 'Lease:')
    page.field('HolderIdentity', spec?.holderIdentity ?? unsetText, 1)
    page.field('AcquireTime', spec?.acquireTime ? longTime(spec.acquireTime) : unsetText, 1)
    page.field('RenewTime', spec?.renewTime ? longTime(spec.renewTime) : unsetText, 1)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    page.field('Lease', `Failed to get lease: ${error.message}`)
  }
}

function writeConditions(page: DescriptionPage, { status: { conditions = [] } }: Node): void {
  if (conditions.length === 0) return
  page.line(0, 'Conditions:')
  page.line(1, 'Type', 'Status', 'LastHeartbeatTime', 'LastTransitionTime', 'Reason', 'Message')
  page.line(1, '----', '------', '-----------------', '------------------', '------', '-------')
  for (const { type, status, lastHeartbeatTime, lastTransitionTime, reason = '', message = '' } of conditions) {
    const cells = [type, status, longTime(lastHeartbeatTime), longTime(lastTransitionTime), reason]
    page.line(1, ...cells.map((cell) => `${cell} `), message)
  }
}

const machineFields = {
  'Machine ID': 'machineID',
  'System UUID': 'systemUUID',
  'Boot ID': 'bootID',
  'Kernel Version': 'kernelVersion',
  'OS Image': 'osImage',
  'Operating System': 'operatingSystem',
  Architecture: 'architecture',
  'Container Runtime Version': 'containerRuntimeVersion',
  'Kubelet Version': 'kubeletVersion',
  'Kube-Proxy Version': 'kubeProxyVersion',
} as const

function writeMachine(page: DescriptionPage, { status }: Node): void {
  page.line(0, 'Addresses:')
  for (const { type, address } of status.addresses ?? []) page.field(type, address, 1)
  const amounts = { Capacity: status.capacity, Allocatable: status.allocatable }
  for (const [label, resources] of Object.entries(amounts)) {
    const names = sortedKeys(resources)
    if (names.length > 0) page.line(0, `${label}:`)
    for (const name of names) page.field(name, resources![name], 1)
  }
  page.line(0, 'System Info:')
  for (const [label, field] of Object.entries(machineFields)) page.field(label, status.nodeInfo?.[field] ?? '', 1)
}

/** Also finds events that have the name of the node instead of its UID. */
async function writeNodeEvents(node: Node, on: DescribeContext): Promise<void> {
  if (!on.showEvents) return
  const { name = '' } = node.metadata
  const byUid = await findEvents(node, on)
  const byName = await findEvents({ ...node, metadata: { ...node.metadata, uid: name } }, on)
  writeEvents([...byUid, ...byName], on)
}
