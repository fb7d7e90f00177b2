import type { FieldError } from '../../../../schema/field-errors.js'
import * as field from '../../../../schema/field-errors.js'
import type { FieldPath } from '../../../../schema/field-path.js'
import { validateOptionalChoice } from '../../../validation/choices.js'
import { validateDescendingPath, validatePathWithoutBacksteps } from '../../../validation/paths.js'
import type { Container, VolumeDevice, VolumeMount } from '../container.js'
import type { PodPartContext } from '../pod/validation-context.js'

/** The validated fields of a container of any type. */
export type MountingContainer = Pick<Container, 'name' | 'volumeMounts' | 'volumeDevices' | 'securityContext'>

/** Validates the volume mounts of a container; `path` is that of `volumeMounts`. */
export function validateVolumeMounts(
  container: MountingContainer,
  path: FieldPath,
  { volumes }: PodPartContext,
): readonly FieldError[] {
  const { volumeMounts, volumeDevices } = container
  if (!volumeMounts || volumeMounts.length === 0) return field.none
  const errors: FieldError[] = []
  const taken = new Set<string>()
  const devices = volumeDevices && new Map(volumeDevices.map(({ name, devicePath }) => [name, devicePath]))
  for (const [i, mount] of volumeMounts.entries()) {
    const { name, mountPath } = mount
    const place = path.index(i)
    if (name === '') errors.push(field.required(place.child('name')))
    if (!volumes.has(name)) errors.push(field.notFound(place.child('name'), name))
    if (mountPath === '') errors.push(field.required(place.child('mountPath')))
    if (taken.has(mountPath)) errors.push(field.invalid(place.child('mountPath'), mountPath, unique))
    taken.add(mountPath)
    if (devices) checkNoDevice(mount, devices, place, errors)
    checkSubPath(mount, i, path, errors)
    checkPropagation(mount, container, path.child('mountPropagation'), errors)
    checkRecursiveReadOnly(mount, path.child('recursiveReadOnly'), errors)
  }
  return errors
}

const unique = 'must be unique'

function checkNoDevice(
  { name, mountPath }: VolumeMount,
  devices: ReadonlyMap<string, string>,
  path: FieldPath,
  errors: FieldError[],
): void {
  if (devices.has(name)) errors.push(field.invalid(path.child('name'), name, 'must not already exist in volumeDevices'))
  if ([...devices.values()].includes(mountPath))
    errors.push(field.invalid(path.child('mountPath'), mountPath, 'must not already exist as a path in volumeDevices'))
}

/** Errors of subpaths have the path of the list, not of the mount. */
function checkSubPath(
  { subPath = '', subPathExpr = '' }: VolumeMount,
  index: number,
  path: FieldPath,
  errors: FieldError[],
): void {
  if (subPath !== '') errors.push(...validateDescendingPath(subPath, path.child('subPath')))
  if (subPathExpr === '') return
  if (subPath !== '') {
    const place = path.index(index).child('subPathExpr')
    errors.push(field.invalid(place, subPathExpr, 'subPathExpr and subPath are mutually exclusive'))
  }
  errors.push(...validateDescendingPath(subPathExpr, path.child('subPathExpr')))
}

const propagations = ['Bidirectional', 'HostToContainer', 'None']

function checkPropagation(
  { mountPropagation }: VolumeMount,
  { securityContext }: MountingContainer,
  path: FieldPath,
  errors: FieldError[],
): void {
  if (mountPropagation === undefined) return
  errors.push(...validateOptionalChoice(mountPropagation, path, propagations))
  if (mountPropagation === 'Bidirectional' && !securityContext?.privileged)
    errors.push(field.forbidden(path, 'Bidirectional mount propagation is available only to privileged containers'))
}

function checkRecursiveReadOnly(mount: VolumeMount, path: FieldPath, errors: FieldError[]): void {
  const { recursiveReadOnly, readOnly, mountPropagation = 'None' } = mount
  if (recursiveReadOnly === undefined || recursiveReadOnly === 'Disabled') return
  if (recursiveReadOnly !== 'Enabled' && recursiveReadOnly !== 'IfPossible') {
    errors.push(field.notSupported(path, recursiveReadOnly, ['Disabled', 'Enabled', 'IfPossible']))
    return
  }
  if (!readOnly) errors.push(field.forbidden(path, 'may only be specified when readOnly is true'))
  if (mountPropagation !== 'None')
    errors.push(field.forbidden(path, 'may only be specified when mountPropagation is None or not specified'))
}

/** Validates the block devices of a container; `path` is that of `volumeDevices`. */
export function validateVolumeDevices(
  { volumeMounts, volumeDevices }: MountingContainer,
  path: FieldPath,
  { volumes }: PodPartContext,
): readonly FieldError[] {
  if (!volumeDevices || volumeDevices.length === 0) return field.none
  const errors: FieldError[] = []
  const known: Known = { volumes, names: new Set(), paths: new Set() }
  const mounts = new Map(volumeMounts?.map(({ name, mountPath }) => [name, mountPath]))
  volumeDevices.forEach((device, i) => {
    const place = path.index(i)
    checkDeviceName(device.name, known, place.child('name'), errors)
    checkDevicePath(device.devicePath, known, place.child('devicePath'), errors)
    checkNoMount(device, mounts, place, errors)
  })
  return errors
}

interface Known {
  readonly volumes: PodPartContext['volumes']
  /** The names of earlier devices. */
  readonly names: Set<string>
  readonly paths: Set<string>
}

/** A block device must be a volume of a claim. */
function checkDeviceName(name: string, { volumes, names }: Known, path: FieldPath, errors: FieldError[]): void {
  const volume = volumes.get(name)
  if (name === '') errors.push(field.required(path))
  if (names.has(name)) errors.push(field.invalid(path, name, unique))
  if (!volume) errors.push(field.notFound(path, name))
  else if (!volume.persistentVolumeClaim && !volume.ephemeral)
    errors.push(
      field.invalid(path, name, 'can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode'),
    )
  if (name !== '') names.add(name)
}

function checkDevicePath(devicePath: string, { paths }: Known, path: FieldPath, errors: FieldError[]): void {
  if (devicePath === '') errors.push(field.required(path))
  if (paths.has(devicePath)) errors.push(field.invalid(path, devicePath, unique))
  if (validatePathWithoutBacksteps(devicePath, path).length > 0)
    errors.push(field.invalid(path, devicePath, "can not contain backsteps ('..')"))
  else paths.add(devicePath)
}

function checkNoMount(
  { name, devicePath }: VolumeDevice,
  mounts: ReadonlyMap<string, string>,
  path: FieldPath,
  errors: FieldError[],
): void {
  if (mounts.has(name)) errors.push(field.invalid(path.child('name'), name, 'must not already exist in volumeMounts'))
  if ([...mounts.values()].includes(devicePath))
    errors.push(field.invalid(path.child('devicePath'), devicePath, 'must not already exist as a path in volumeMounts'))
}
