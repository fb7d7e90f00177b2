import type { FieldError } from '../../../schema/field-errors.js'
import * as field from '../../../schema/field-errors.js'
import { FieldPath, fieldPath } from '../../../schema/field-path.js'
import { dnsSubdomain } from '../../../schema/names.js'
import { declareTable } from '../../../schema/schema.js'
import { declareStrategy } from '../../../schema/strategy.js'
import { nodeLabelSelectorWarnings } from '../../core/v1/affinity/deprecated-node-labels.js'
import { validateNonnegativeQuantity } from '../../core/v1/resource-requirements/resource-list-validation.js'
import { validateLabelSelector } from '../../selectors/label-selector-validation.js'
import { validateImmutable } from '../../validation/immutability.js'
import { CSIStorageCapacity } from './csi-storage-capacity.js'

const topologyPath = fieldPath('nodeTopology')
const classPath = fieldPath('storageClassName')

export const csiStorageCapacityStrategy = declareStrategy<CSIStorageCapacity>(CSIStorageCapacity, {
  validate: (capacity) => capacityErrors(capacity, undefined),
  validateUpdate: (capacity, old) => [...capacityErrors(capacity, old), ...changeErrors(capacity, old)],
  warnings: ({ nodeTopology }) => nodeLabelSelectorWarnings(nodeTopology, topologyPath),
  updatedUnconditionally: false,
})

export const csiStorageCapacityTable = declareTable<CSIStorageCapacity>(CSIStorageCapacity, {
  'Created At': ({ metadata }) => metadata.creationTimestamp ?? null,
})

function capacityErrors(
  { nodeTopology, storageClassName, capacity = '0' }: CSIStorageCapacity,
  old: CSIStorageCapacity | undefined,
): readonly FieldError[] {
  const anyValue = validateLabelSelector(old?.nodeTopology, FieldPath.none).length > 0
  return [
    ...validateLabelSelector(nodeTopology, topologyPath, { anyValue }),
    ...field.invalidForEach(classPath, storageClassName, dnsSubdomain(storageClassName)),
    ...validateNonnegativeQuantity(capacity, fieldPath('capacity')),
  ]
}

/** Class and topology are immutable; the capacity may change. */
function changeErrors(capacity: CSIStorageCapacity, old: CSIStorageCapacity): readonly FieldError[] {
  return [
    ...validateImmutable(capacity.nodeTopology, old.nodeTopology, topologyPath),
    ...validateImmutable(capacity.storageClassName, old.storageClassName, classPath),
  ]
}
