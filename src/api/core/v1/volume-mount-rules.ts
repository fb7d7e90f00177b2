import type { FieldError } from '../../../schema/field-errors.js'
import type { FieldPath } from '../../../schema/field-path.js'
import type { Container } from './container.js'
import type { PodPartContext } from './pod-rules-context.js'

/** What is wrong with the places at which a container mounts volumes; `path` leads to `volumeMounts`. */
export function validateVolumeMounts(
  _container: Pick<Container, 'name' | 'volumeMounts' | 'volumeDevices'>,
  _path: FieldPath,
  _context: PodPartContext,
): readonly FieldError[] {
  return []
}

/** What is wrong with the block devices of a container; `path` leads to `volumeDevices`. */
export function validateVolumeDevices(
  _container: Pick<Container, 'name' | 'volumeMounts' | 'volumeDevices'>,
  _path: FieldPath,
  _context: PodPartContext,
): readonly FieldError[] {
  return []
}
