import type { ContainerStatus, VolumeMountStatus } from '../../api/core/v1/container/status.js'
import type { Container, RecursiveReadOnlyMode, VolumeMount } from '../../api/core/v1/container.js'

/** What became of a container's mounts: of those that are read-only, whether all below them is, too. */
export function volumeMountStatuses(
  { volumeMounts = [] }: Container,
  isRecursionPossible: boolean,
): Pick<ContainerStatus, 'volumeMounts'> {
  if (volumeMounts.length === 0) return {}
  return { volumeMounts: volumeMounts.map((mount) => mountStatus(mount, isRecursionPossible)) }
}

function mountStatus(mount: VolumeMount, isRecursionPossible: boolean): VolumeMountStatus {
  const { name, mountPath, readOnly } = mount
  if (!readOnly) return { name, mountPath }
  return { name, mountPath, readOnly, recursiveReadOnly: resolved(mount, isRecursionPossible) }
}

/** What is mounted on and on cannot be read-only all the way down. */
function resolved({ recursiveReadOnly, mountPropagation = 'None' }: VolumeMount, isPossible: boolean) {
  const isAskedFor = recursiveReadOnly === 'Enabled' || recursiveReadOnly === 'IfPossible'
  const mode: RecursiveReadOnlyMode = isAskedFor && isPossible && mountPropagation === 'None' ? 'Enabled' : 'Disabled'
  return mode
}
