import type { FieldError } from '../../../schema/field-errors.js'
import * as field from '../../../schema/field-errors.js'
import { type FieldPath, fieldPath } from '../../../schema/field-path.js'
import { notNegative } from '../../../schema/identifiers.js'
import { labelKey } from '../../../schema/label-names.js'
import { declareTable } from '../../../schema/schema.js'
import { declareStrategy } from '../../../schema/strategy.js'
import { checkCsiDriverName } from '../../core/v1/volume/driver-validation.js'
import { immutable, isSame } from '../../validation/immutability.js'
import { CSINode, type CSINodeDriver } from './csi-node.js'

const driversPath = fieldPath('spec', 'drivers')
/** Limits in bytes: for new drivers, and for drivers that already have a longer identifier. */
const longestNodeId = 192
const longestOldNodeId = 256

export const csiNodeStrategy = declareStrategy<CSINode>(CSINode, {
  validate: (node) => driverErrors(node, longestNodeId),
  validateUpdate: (node, old) => [...driverErrors(node, nodeIdLimit(node, old)), ...changeErrors(node, old)],
  updatedUnconditionally: false,
})

export const csiNodeTable = declareTable<CSINode>(CSINode, { Drivers: ({ spec }) => spec.drivers?.length ?? 0 })

function driverErrors({ spec }: CSINode, longest: number): readonly FieldError[] {
  const errors: FieldError[] = []
  const names = new Set<string>()
  spec.drivers?.forEach((driver, i) => {
    const path = driversPath.index(i)
    checkDriver(driver, longest, path, errors)
    if (names.has(driver.name)) errors.push(field.duplicate(path.child('name'), driver.name))
    names.add(driver.name)
    checkTopologyKeys(driver.topologyKeys, path, errors)
  })
  return errors
}

function checkDriver(driver: CSINodeDriver, longest: number, path: FieldPath, errors: FieldError[]): void {
  const { name, nodeID, allocatable } = driver
  checkCsiDriverName(name, path.child('name'), errors)
  if (nodeID === '') errors.push(field.required(path.child('nodeID')))
  if (Buffer.byteLength(nodeID) > longest)
    errors.push(field.invalid(path.child('nodeID'), nodeID, `must be ${longest} characters or less`))
  const count = allocatable?.count ?? 0
  if (count < 0) errors.push(field.invalid(path.child('allocatable', 'count'), count, notNegative))
}

/** Errors have the path of the driver, not of the key. */
function checkTopologyKeys(keys: readonly string[] | null | undefined, path: FieldPath, errors: FieldError[]): void {
  const seen = new Set<string>()
  for (const key of keys ?? []) {
    if (key === '') errors.push(field.required(path))
    if (seen.has(key)) errors.push(field.duplicate(path, key))
    seen.add(key)
    errors.push(...field.invalidForEach(path, key, labelKey(key)))
  }
}

/** A driver may keep an identifier that is too long for a new one. */
function nodeIdLimit({ spec }: CSINode, old: CSINode): number {
  const isKept = spec.drivers?.some(({ name, nodeID }) =>
    old.spec.drivers?.some((one) => one.name === name && one.nodeID === nodeID && nodeID.length > longestNodeId),
  )
  return isKept ? longestOldNodeId : longestNodeId
}

/** A driver is immutable, except for its volume limit. */
function changeErrors({ spec }: CSINode, old: CSINode): readonly FieldError[] {
  const errors: FieldError[] = []
  for (const before of old.spec.drivers ?? [])
    for (const driver of spec.drivers ?? [])
      if (before.name === driver.name && !isSame(shown(before), shown(driver)))
        errors.push(field.invalid(driversPath, shown(driver), immutable))
  return errors
}

/** A driver in the form of upstream's messages. */
function shown({ name, nodeID, topologyKeys }: CSINodeDriver): object {
  return { Name: name, NodeID: nodeID, TopologyKeys: topologyKeys ?? null, Allocatable: null }
}
