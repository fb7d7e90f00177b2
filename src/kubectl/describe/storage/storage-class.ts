import type { CSINode } from '../../../api/storage/v1/csi-node.js'
import type { StorageClass } from '../../../api/storage/v1/storage-class.js'
import type { VolumeAttributesClass } from '../../../api/storage/v1/volume-attributes-class.js'
import type { Describe } from '../context.js'
import { eventsOf } from '../events.js'
import { labelsAndAnnotations } from '../metadata.js'
import type { DescriptionPage } from '../page.js'
import { listText, noneText, pairsText, yesNoText } from '../text.js'
import { longTime } from '../times.js'

const defaultAnnotations = [
  'storageclass.kubernetes.io/is-default-class',
  'storageclass.beta.kubernetes.io/is-default-class',
]

export const describeStorageClass: Describe<StorageClass> = async (storageClass, on) => {
  const { page } = on
  const { metadata, mountOptions = [], reclaimPolicy, volumeBindingMode } = storageClass
  const isDefault = defaultAnnotations.some((name) => metadata.annotations?.[name] === 'true')
  page.field('Name', metadata.name)
  page.field('IsDefaultClass', isDefault ? 'Yes' : 'No')
  page.field('Annotations', pairsText(metadata.annotations))
  page.field('Provisioner', storageClass.provisioner)
  page.field('Parameters', pairsText(storageClass.parameters))
  page.field('AllowVolumeExpansion', yesNoText(storageClass.allowVolumeExpansion))
  if (mountOptions.length === 0) page.field('MountOptions', noneText)
  else page.line(0, 'MountOptions:')
  for (const option of mountOptions) page.line(1, option)
  if (reclaimPolicy !== undefined) page.field('ReclaimPolicy', reclaimPolicy)
  if (volumeBindingMode !== undefined) page.field('VolumeBindingMode', volumeBindingMode)
  writeTopologies(page, storageClass)
  await eventsOf(storageClass, on)
}

function writeTopologies(page: DescriptionPage, { allowedTopologies: terms }: StorageClass): void {
  if (!terms) return
  page.line(0, 'AllowedTopologies:', terms.length === 0 ? noneText : '')
  for (const [index, { matchLabelExpressions = [] }] of terms.entries()) {
    const lines = matchLabelExpressions.map(({ key, values }) =>
      values.length === 0 ? `${key} in` : `${key} in [${values.join(', ')}]`,
    )
    page.lines(`Term ${index}`, lines, '  ')
  }
}

export const describeVolumeAttributesClass: Describe<VolumeAttributesClass> = async (attributesClass, on) => {
  const { page } = on
  const { metadata, driverName, parameters } = attributesClass
  page.field('Name', metadata.name)
  page.field('Annotations', pairsText(metadata.annotations))
  page.field('DriverName', driverName)
  page.field('Parameters', pairsText(parameters))
  await eventsOf(attributesClass, on)
}

export const describeCsiNode: Describe<CSINode> = async (node, on) => {
  const { page } = on
  const { metadata, spec } = node
  page.field('Name', metadata.name)
  labelsAndAnnotations(page, metadata)
  page.field('CreationTimestamp', longTime(metadata.creationTimestamp))
  page.line(0, 'Spec:')
  if (spec.drivers) page.line(1, 'Drivers:')
  for (const { name, nodeID, allocatable, topologyKeys } of spec.drivers ?? []) {
    page.line(2, `${name}:`)
    page.field('Node ID', nodeID, 3)
    if (allocatable?.count !== undefined) {
      page.line(3, 'Allocatables:')
      page.field('Count', allocatable.count, 4)
    }
    if (topologyKeys) page.field('Topology Keys', listText(topologyKeys), 3)
  }
  await eventsOf(node, on)
}
