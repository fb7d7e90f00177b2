import type { FieldError } from '../../../../schema/field-errors.js'
import * as field from '../../../../schema/field-errors.js'
import { type FieldPath, fieldPath } from '../../../../schema/field-path.js'
import { labelKey } from '../../../../schema/label-names.js'
import { checkQuantity } from '../persistent-volume/storage-validation.js'
import type { PersistentVolumeClaim } from '../persistent-volume-claim.js'
import { isNativeResource } from '../resource-requirements/resource-names.js'

/** Sorted, as they are shown. */
const resizeStatuses = [
  'ControllerResizeInProgress',
  'ControllerResizeInfeasible',
  'NodeResizeInProgress',
  'NodeResizeInfeasible',
  'NodeResizePending',
]

/** What is wrong with what is said about a claim. */
export function claimStatusErrors({ spec, status }: PersistentVolumeClaim): readonly FieldError[] {
  const errors: FieldError[] = []
  if (!spec.accessModes?.length) errors.push(field.required(fieldPath('Spec', 'accessModes')))
  checkAmounts(status.capacity, fieldPath('status', 'capacity'), errors)
  checkResizing(status.allocatedResourceStatuses, fieldPath('status', 'allocatedResourceStatus'), errors)
  checkAmounts(status.allocatedResources, fieldPath('status', 'allocatedResources'), errors, resourceErrors)
  return errors
}

function checkResizing(
  statuses: Readonly<Record<string, string>> | undefined,
  path: FieldPath,
  errors: FieldError[],
): void {
  for (const [name, status] of Object.entries(statuses ?? {})) {
    errors.push(...resourceErrors(name, path))
    if (!resizeStatuses.includes(status)) errors.push(field.notSupported(path, name, resizeStatuses))
  }
}

/** The amount of a resource is looked at when nothing is wrong with its name. */
function checkAmounts(
  amounts: Readonly<Record<string, string>> | undefined,
  path: FieldPath,
  errors: FieldError[],
  wrongName: (name: string, path: FieldPath) => readonly FieldError[] = () => field.none,
): void {
  for (const [name, quantity] of Object.entries(amounts ?? {})) {
    const wrong = wrongName(name, path)
    errors.push(...wrong)
    if (wrong.length === 0) checkQuantity(quantity, path.key(name), errors)
  }
}

/** Of the resources that Kubernetes itself knows, a claim can have storage only. */
function resourceErrors(name: string, path: FieldPath): readonly FieldError[] {
  const wrong = field.invalidForEach(path, name, labelKey(name))
  if (wrong.length > 0 || !isNativeResource(name) || name === 'storage') return wrong
  return [field.notSupported(path, name, ['storage'])]
}
