import type {
  PersistentVolumeClaim,
  PersistentVolumeClaimTemplate,
} from '../../../api/core/v1/persistent-volume-claim.js'
import type { Pod } from '../../../api/core/v1/pod.js'
import { compareText } from '../../../schema/text-order.js'
import { resourcePath } from '../../resources/resource-object.js'
import type { Describe, DescribeContext } from '../context.js'
import { eventsOf } from '../events.js'
import { labelsAndAnnotations } from '../metadata.js'
import type { DescriptionPage } from '../page.js'
import { listText } from '../text.js'
import { longTime } from '../times.js'

const classAnnotation = 'volume.beta.kubernetes.io/storage-class'

export const describePersistentVolumeClaim: Describe<PersistentVolumeClaim> = async (claim, on) => {
  const { page } = on
  writeClaim(page, claim, { claim, on })
  const pods = await podsUsing(claim, on)
  page.lines('Used By', pods.map(({ metadata: { name = '' } }) => name).sort(compareText))
  const { conditions = [] } = claim.status
  if (conditions.length > 0) {
    page.line(0, 'Conditions:')
    page.line(1, 'Type', 'Status', 'LastProbeTime', 'LastTransitionTime', 'Reason', 'Message')
    page.line(1, '----', '------', '-----------------', '------------------', '------', '-------')
  }
  for (const { type, status, lastProbeTime, lastTransitionTime, reason = '', message = '' } of conditions)
    page.line(
      1,
      ...[type, status, longTime(lastProbeTime), longTime(lastTransitionTime), reason].map((each) => `${each} `),
      message,
    )
  await eventsOf(claim, on)
}

async function podsUsing({ metadata }: PersistentVolumeClaim, on: DescribeContext): Promise<readonly Pod[]> {
  const all = await on.list<Pod>(
    resourcePath({ root: '/api/v1', plural: 'pods', namespaced: true }, metadata.namespace),
  )
  const { ownerReferences = [], name } = metadata
  const owners = ownerReferences.filter(({ kind }) => kind === 'Pod').map(({ uid }) => uid)
  return all.filter(
    ({ metadata: { uid = '' }, spec: { volumes = [] } }) =>
      volumes.some(({ persistentVolumeClaim }) => persistentVolumeClaim?.claimName === name) || owners.includes(uid),
  )
}

interface WholeClaim {
  readonly claim: PersistentVolumeClaim
  readonly on: DescribeContext
}

/** Writes a claim or a claim template. A template has neither name nor status. */
export function writeClaim(page: DescriptionPage, template: PersistentVolumeClaimTemplate, whole?: WholeClaim): void {
  const { metadata = {}, spec } = template
  if (whole) {
    page.field('Name', metadata.name)
    page.field('Namespace', metadata.namespace)
  }
  page.field('StorageClass', metadata.annotations?.[classAnnotation] ?? spec.storageClassName ?? '')
  if (whole) page.field('Status', stateOf(whole))
  page.field('Volume', spec.volumeName ?? '')
  labelsAndAnnotations(page, metadata)
  if (whole) page.field('Finalizers', listText(metadata.finalizers))
  const { capacity, accessModes } = (spec.volumeName && whole?.claim.status) || {}
  page.field('Capacity', spec.volumeName ? (capacity?.storage ?? '0') : '')
  page.field('Access Modes', accessModesText(accessModes))
  if (spec.volumeMode !== undefined) page.field('VolumeMode', spec.volumeMode)
  if (!spec.dataSource) return
  const { apiGroup, kind, name } = spec.dataSource
  page.line(0, 'DataSource:')
  if (apiGroup !== undefined) page.field('APIGroup', apiGroup, 1)
  page.field('Kind', kind, 1)
  page.field('Name', name, 1)
}

function stateOf({ claim: { metadata, status }, on }: WholeClaim): string {
  if (metadata.deletionTimestamp) return `Terminating (lasts ${on.since(metadata.deletionTimestamp)})`
  return status.phase ?? ''
}

const shortModes: Readonly<Record<string, string>> = {
  ReadWriteOnce: 'RWO',
  ReadOnlyMany: 'ROX',
  ReadWriteMany: 'RWX',
  ReadWriteOncePod: 'RWOP',
}

/** `RWO,ROX`: without duplicates, in upstream's order. */
export function accessModesText(modes: readonly string[] = []): string {
  return Object.keys(shortModes)
    .filter((mode) => modes.includes(mode))
    .map((mode) => shortModes[mode])
    .join(',')
}
