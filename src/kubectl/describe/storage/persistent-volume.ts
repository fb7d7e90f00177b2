import type { PersistentVolume } from '../../../api/core/v1/persistent-volume.js'
import type { JsonObject } from '../../../schema/declaration.js'
import type { Describe, DescribeContext } from '../context.js'
import { eventsOf } from '../events.js'
import { labelsAndAnnotations } from '../metadata.js'
import type { DescriptionPage } from '../page.js'
import { listText, noneText } from '../text.js'
import { accessModesText } from './persistent-volume-claim.js'
import { persistentSources } from './volume-sources.js'
import { csiType, writeFibreChannel, writeKnownSource, writeVolumeAttributes } from './volumes.js'

const classAnnotation = 'volume.beta.kubernetes.io/storage-class'

export const describePersistentVolume: Describe<PersistentVolume> = async (volume, on) => {
  const { page } = on
  const { metadata, spec, status } = volume
  page.field('Name', metadata.name)
  labelsAndAnnotations(page, metadata)
  page.field('Finalizers', listText(metadata.finalizers))
  page.field('StorageClass', metadata.annotations?.[classAnnotation] ?? spec.storageClassName ?? '')
  page.field('Status', stateOf(volume, on))
  const { claimRef } = spec
  page.field('Claim', claimRef ? `${claimRef.namespace ?? ''}/${claimRef.name ?? ''}` : '')
  page.field('Reclaim Policy', spec.persistentVolumeReclaimPolicy ?? '')
  page.field('Access Modes', accessModesText(spec.accessModes))
  if (spec.volumeMode !== undefined) page.field('VolumeMode', spec.volumeMode)
  page.field('Capacity', spec.capacity?.storage ?? '0')
  writeNodeAffinity(page, volume)
  page.field('Message', status.message ?? '')
  page.line(0, 'Source:')
  writeSource(page, volume)
  await eventsOf(volume, on)
}

function stateOf({ metadata, status }: PersistentVolume, on: DescribeContext): string {
  if (metadata.deletionTimestamp) return `Terminating (lasts ${on.since(metadata.deletionTimestamp)})`
  return status.phase ?? ''
}

function writeNodeAffinity(page: DescriptionPage, { spec }: PersistentVolume): void {
  const required = spec.nodeAffinity?.required
  if (!required) {
    page.field('Node Affinity', noneText)
    return
  }
  const { nodeSelectorTerms: terms = [] } = required
  page.line(0, 'Node Affinity:', '')
  page.line(1, 'Required Terms:', terms.length === 0 ? noneText : '')
  for (const [index, { matchExpressions = [] }] of terms.entries()) {
    const lines = matchExpressions.map(({ key, operator, values = [] }) => {
      const words = `${key} ${operator.toLowerCase()}`
      return values.length === 0 ? words : `${words} [${values.join(', ')}]`
    })
    page.lines(`Term ${index}`, lines, '    ')
  }
}

function writeSource(page: DescriptionPage, { spec }: PersistentVolume): void {
  const { csi, fc } = spec
  if (csi) {
    page.field('Type', csiType, 2)
    page.field('Driver', csi.driver, 2)
    page.field('FSType', csi.fsType ?? '', 2)
    page.field('VolumeHandle', csi.volumeHandle, 2)
    page.field('ReadOnly', csi.readOnly ?? false, 2)
    writeVolumeAttributes(page, csi.volumeAttributes)
  } else if (fc) writeFibreChannel(page, fc)
  else if (!writeKnownSource(page, spec as unknown as JsonObject, persistentSources)) page.line(1, '<unknown>')
}
