import * as field from '../../../../schema/field-errors.js'
import { fieldPath } from '../../../../schema/field-path.js'
import type { Draft } from '../../../../schema/infer.js'
import { dnsSubdomain } from '../../../../schema/names.js'
import { declareTable } from '../../../../schema/schema.js'
import { declareStrategy } from '../../../../schema/strategy.js'
import { validateNodeSelector } from '../../../core/v1/affinity/node-selector-validation.js'
import { validateImmutable } from '../../../validation/immutability.js'
import { validateList } from '../device/list-validation.js'
import { validateDriverName, validatePoolName, validateShortName } from '../device/name-validation.js'
import { type Device, ResourceSlice, type ResourceSliceSpec } from '../resource-slice.js'
import { validateCounters, validateDevice } from './device-validation.js'

const specPath = fieldPath('spec')
const mostDevices = 128
/** The lower limit for devices with taints or counters. */
const mostElaborateDevices = 64
const mostCounterSets = 8

export const resourceSliceTable = declareTable<ResourceSlice>(ResourceSlice, {
  Node: ({ spec }) => spec.nodeName ?? '',
  Driver: ({ spec }) => spec.driver,
  Pool: ({ spec }) => spec.pool.name,
})

export const resourceSliceStrategy = declareStrategy<ResourceSlice>(ResourceSlice, {
  intent: ({ spec }) => [spec],
  prepareCreate: (draft, { time }) => prepareDevices(draft, time),
  prepareUpdate: (draft, _old, { time }) => prepareDevices(draft, time),
  validate: ({ spec }) => validateSlice(spec, undefined),
  validateUpdate: ({ spec }, old) => validateSlice(spec, old.spec),
  fields: {
    'spec.nodeName': ({ spec }) => spec.nodeName ?? '',
    'spec.driver': ({ spec }) => spec.driver,
  },
  unsupportedField: (name) => `field label not supported for resource.k8s.io/v1, Kind=ResourceSlice: ${name}`,
})

/** Sets the absent times of taints. */
function prepareDevices(draft: Draft<ResourceSlice>, time: string): void {
  const { devices } = draft.spec
  if (!devices?.some(({ taints }) => taints?.some(({ timeAdded }) => !timeAdded))) return
  draft.spec = {
    ...draft.spec,
    devices: devices.map((device) =>
      device.taints
        ? { ...device, taints: device.taints.map((taint) => (taint.timeAdded ? taint : { ...taint, timeAdded: time })) }
        : device,
    ),
  }
}

function validateSlice(spec: ResourceSliceSpec, old: ResourceSliceSpec | undefined): readonly field.FieldError[] {
  const { devices, sharedCounters } = spec
  return [
    ...validateDriverName(spec.driver, specPath.child('driver')),
    ...validatePool(spec),
    ...(old ? validateIdentity(spec, old) : field.none),
    ...validateNodes(spec),
    ...(sharedCounters && devices
      ? [field.invalid(specPath, '', 'only one of `sharedCounters` or `devices` is allowed')]
      : field.none),
    ...validateList(
      devices,
      specPath.child('devices'),
      (device, path) =>
        validateDevice(device, path, {
          old: old?.devices?.find(({ name }) => name === device.name),
          perDevice: spec.perDeviceNodeSelection ?? false,
        }),
      { maximum: devices?.some(isElaborate) ? mostElaborateDevices : mostDevices, key: ({ name }) => name },
    ),
    ...validateList(
      sharedCounters,
      specPath.child('sharedCounters'),
      ({ name, counters }, path) => [
        ...(name === '' ? [field.required(path.child('name'))] : validateShortName(name, path.child('name'))),
        ...validateCounters(counters, path.child('counters')),
      ],
      { maximum: mostCounterSets, key: ({ name }) => name },
    ),
  ]
}

function isElaborate({ taints, consumesCounters }: Device): boolean {
  return Boolean(taints?.length || consumesCounters?.length)
}

function validatePool({ pool }: ResourceSliceSpec): readonly field.FieldError[] {
  const path = specPath.child('pool')
  const errors = [...validatePoolName(pool.name, path.child('name'))]
  if (pool.resourceSliceCount <= 0)
    errors.push(field.invalid(path.child('resourceSliceCount'), pool.resourceSliceCount, 'must be greater than zero'))
  if (pool.generation < 0)
    errors.push(field.invalid(path.child('generation'), pool.generation, 'must be greater than or equal to zero'))
  return errors
}

/** Pool, driver and node of a slice are immutable. */
function validateIdentity(spec: ResourceSliceSpec, old: ResourceSliceSpec): readonly field.FieldError[] {
  return [
    ...validateImmutable(spec.pool.name, old.pool.name, specPath.child('pool', 'name')),
    ...validateImmutable(spec.driver, old.driver, specPath.child('driver')),
    ...validateImmutable(spec.nodeName, old.nodeName, specPath.child('nodeName')),
  ]
}

const oneOfFour = 'exactly one of `nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection` is required'

/** Requires exactly one way of node selection. */
function validateNodes(spec: ResourceSliceSpec): readonly field.FieldError[] {
  const { nodeName, nodeSelector } = spec
  const errors: field.FieldError[] = []
  const set: string[] = []
  const nodePath = specPath.child('nodeName')
  if (nodeName === '')
    errors.push(field.invalid(nodePath, nodeName, 'must be either unset or set to a non-empty string'))
  else if (nodeName !== undefined) {
    set.push('`nodeName`')
    errors.push(...field.invalidForEach(nodePath, nodeName, dnsSubdomain(nodeName)))
  }
  if (nodeSelector) {
    set.push('`nodeSelector`')
    const terms = nodeSelector.nodeSelectorTerms ?? []
    errors.push(...validateNodeSelector(nodeSelector, specPath.child('nodeSelector')))
    if (terms.length !== 1)
      errors.push(
        field.invalid(
          specPath.child('nodeSelector', 'nodeSelectorTerms'),
          field.omitted,
          'must have exactly one node selector term',
        ),
      )
  }
  for (const name of ['allNodes', 'perDeviceNodeSelection'] as const) {
    if (spec[name]) set.push(`\`${name}\``)
    else if (spec[name] === false)
      errors.push(field.invalid(specPath.child(name), false, 'must be either unset or set to true'))
  }
  if (set.length === 0) errors.push(field.required(specPath, oneOfFour))
  if (set.length > 1)
    errors.push(field.invalid(specPath, `{${set.join(', ')}}`, `${oneOfFour}, but multiple fields are set`))
  return errors
}
