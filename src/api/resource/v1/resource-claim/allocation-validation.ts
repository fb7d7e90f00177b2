/** Validates the status of a claim: allocated devices, consumers, and device status. */

import * as field from '../../../../schema/field-errors.js'
import { type FieldPath, fieldPath } from '../../../../schema/field-path.js'
import { labelKey } from '../../../../schema/label-names.js'
import { interfaceAddress } from '../../../../schema/values/addresses.js'
import { validateNodeSelector } from '../../../core/v1/affinity/node-selector-validation.js'
import { validateChoice } from '../../../validation/choices.js'
import { validateConditions } from '../../../validation/conditions.js'
import { isSame, validateImmutable } from '../../../validation/immutability.js'
import { validateList } from '../device/list-validation.js'
import { validateDriverName, validatePoolName, validateShareId, validateShortName } from '../device/name-validation.js'
import { validateDeviceConfiguration, validateJsonObject } from '../device/selector-validation.js'
import type {
  AllocatedDeviceStatus,
  AllocationResult,
  DeviceAllocationConfiguration,
  DeviceRequestAllocationResult,
  NetworkDeviceData,
  ResourceClaim,
  ResourceClaimConsumerReference,
  ResourceClaimStatus,
} from '../resource-claim.js'
import {
  mostConfigurations,
  mostRequests,
  type RequestNames,
  requestNamesOf,
  validateRequestReference,
  validateRequestReferences,
} from './device-claim-validation.js'

const statusPath = fieldPath('status')
const mostConsumers = 256

export function validateClaimStatusUpdate(claim: ResourceClaim, old: ResourceClaim): readonly field.FieldError[] {
  const { status } = claim
  const allocated = new Set(resultsOf(status).map(deviceId))
  return [
    ...validateList(status.reservedFor, statusPath.child('reservedFor'), validateConsumer, {
      maximum: mostConsumers,
      key: ({ uid }) => uid,
    }),
    ...validateList(
      status.devices,
      statusPath.child('devices'),
      (device, path) => validateDeviceStatus(device, path, allocated),
      { key: deviceId },
    ),
    ...validateReservations(claim, old.status),
    ...validateAllocation(claim, old.status.allocation),
  ]
}

export function resultsOf({ allocation }: ResourceClaimStatus): readonly DeviceRequestAllocationResult[] {
  return allocation?.devices?.results ?? []
}

type DeviceOf = Pick<DeviceRequestAllocationResult, 'driver' | 'pool' | 'device' | 'shareID'>

/** The identity of a device or of a share of it. */
function deviceId({ driver, pool, device, shareID }: DeviceOf): string {
  return [driver, pool, device, ...(shareID === undefined ? [] : [shareID])].join('/')
}

function validateConsumer(consumer: ResourceClaimConsumerReference, path: FieldPath): readonly field.FieldError[] {
  const names = ['resource', 'name', 'uid'] as const
  return names.filter((name) => consumer[name] === '').map((name) => field.required(path.child(name)))
}

function validateReservations(
  { metadata, status }: ResourceClaim,
  { reservedFor: before = [] }: ResourceClaimStatus,
): readonly field.FieldError[] {
  const reservedFor = status.reservedFor ?? []
  const path = statusPath.child('reservedFor')
  if (reservedFor.length === 0) return field.none
  if (!status.allocation) return [field.forbidden(path, 'may not be specified when `allocated` is not set')]
  const isAdded = reservedFor.some((consumer) => !before.some((old) => isSame(consumer, old)))
  if (!metadata.deletionTimestamp || !isAdded) return field.none
  const detail = 'new entries may not be added while `deallocationRequested` or `deletionTimestamp` are set'
  return [field.forbidden(path, detail)]
}

/** An allocation is immutable; it can only be removed. */
function validateAllocation(
  { spec, status: { allocation } }: ResourceClaim,
  old: AllocationResult | undefined,
): readonly field.FieldError[] {
  const path = statusPath.child('allocation')
  if (!allocation) return field.none
  if (old) return validateImmutable(allocation, old, path)
  const names = requestNamesOf(spec.devices)
  const devices = path.child('devices')
  return [
    ...validateList(
      allocation.devices?.results,
      devices.child('results'),
      (result, at) => validateResult(result, at, names),
      { maximum: mostRequests },
    ),
    ...validateList(
      allocation.devices?.config,
      devices.child('config'),
      (config, at) => validateAllocationConfiguration(config, at, names),
      { maximum: 2 * mostConfigurations },
    ),
    ...(allocation.nodeSelector ? validateNodeSelector(allocation.nodeSelector, path.child('nodeSelector')) : []),
  ]
}

function validateResult(
  result: DeviceRequestAllocationResult,
  path: FieldPath,
  names: RequestNames,
): readonly field.FieldError[] {
  return [
    ...validateRequestReference(result.request, path.child('request'), names),
    ...validateDeviceNames(result, path),
    ...validateBindingConditions(result, path),
    ...(result.shareID === undefined ? [] : validateShareId(result.shareID, path.child('shareID'))),
  ]
}

function validateDeviceNames({ driver, pool, device }: DeviceOf, path: FieldPath): readonly field.FieldError[] {
  return [
    ...validateDriverName(driver, path.child('driver')),
    ...validatePoolName(pool, path.child('pool')),
    ...validateShortName(device, path.child('device')),
  ]
}

function validateAllocationConfiguration(
  config: DeviceAllocationConfiguration,
  path: FieldPath,
  names: RequestNames,
): readonly field.FieldError[] {
  return [
    ...validateChoice(config.source, path.child('source'), ['FromClaim', 'FromClass']),
    ...validateRequestReferences(config.requests, path.child('requests'), names),
    ...validateDeviceConfiguration(config, path),
  ]
}

const mostBindingConditions = 4

/** Validates the conditions for binding and for its failure: both lists or none, without common elements. */
export function validateBindingConditions(
  device: { readonly bindingConditions?: readonly string[]; readonly bindingFailureConditions?: readonly string[] },
  path: FieldPath,
): readonly field.FieldError[] {
  const conditions = device.bindingConditions ?? []
  const failures = device.bindingFailureConditions ?? []
  if (conditions.length === 0 && failures.length === 0) return field.none
  const conditionsPath = path.child('bindingConditions')
  const failuresPath = path.child('bindingFailureConditions')
  const rule = (name: string, at: FieldPath) => field.invalidForEach(at, name, labelKey(name))
  const errors = [
    ...validateList(conditions, conditionsPath, rule, { maximum: mostBindingConditions }),
    ...validateList(failures, failuresPath, rule, { maximum: mostBindingConditions }),
    ...repeated(conditions, conditionsPath),
  ]
  for (const [i, failure] of failures.entries()) {
    if (failures.indexOf(failure) < i) errors.push(field.duplicate(failuresPath.index(i), failure))
    if (conditions.includes(failure))
      errors.push(
        field.invalid(
          failuresPath.index(i),
          failure,
          'bindingFailureConditions must not overlap with bindingConditions',
        ),
      )
  }
  if (conditions.length === 0)
    errors.push(field.invalid(conditionsPath, null, 'bindingConditions are required to use bindingFailureConditions'))
  if (failures.length === 0)
    errors.push(field.invalid(failuresPath, null, 'bindingFailureConditions are required to use bindingConditions'))
  return errors
}

function repeated(list: readonly string[], path: FieldPath): readonly field.FieldError[] {
  return list.flatMap((text, i) => (list.indexOf(text) < i ? [field.duplicate(path.index(i), text)] : []))
}

const mostConditions = 8
const longestData = 10 * 1024

function validateDeviceStatus(
  device: AllocatedDeviceStatus,
  path: FieldPath,
  allocated: ReadonlySet<string>,
): readonly field.FieldError[] {
  const { conditions, data, networkData, shareID } = device
  const id = deviceId(device)
  return [
    ...validateDeviceNames(device, path),
    ...(shareID === undefined ? [] : validateShareId(shareID, path.child('shareID'))),
    ...(allocated.has(id) ? [] : [field.invalid(path, id, 'must be an allocated device in the claim')]),
    ...(conditions && conditions.length > mostConditions
      ? [field.tooMany(path.child('conditions'), conditions.length, mostConditions)]
      : []),
    ...validateConditions(conditions ?? undefined, path.child('conditions')),
    ...(data === undefined || data === null ? [] : validateJsonObject(data, path.child('data'), longestData)),
    ...(networkData ? validateNetworkData(networkData, path.child('networkData')) : []),
  ]
}

function validateNetworkData(data: NetworkDeviceData, path: FieldPath): readonly field.FieldError[] {
  const limits = [
    ['interfaceName', 256],
    ['hardwareAddress', 128],
  ] as const
  return [
    ...limits.flatMap(([name, longest]) =>
      Buffer.byteLength(data[name] ?? '') > longest ? [field.tooLong(path.child(name), longest)] : [],
    ),
    ...validateList(data.ips, path.child('ips'), (address, at) => interfaceAddress(at, address), {
      maximum: 16,
      key: (address) => address,
    }),
  ]
}
