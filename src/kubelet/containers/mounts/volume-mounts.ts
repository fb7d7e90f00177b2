import { isAbsolute } from 'node:path'
import type { Container, MountPropagationMode, VolumeMount } from '../../../api/core/v1/container.js'
import type { CriDevice, Mount, MountPropagation } from '../../../cri/interface/container.js'
import type { PartialMessage } from '../../../cri/interface/message.js'
import { quote } from '../../../schema/quote.js'
import { compareText } from '../../../schema/text-order.js'
import type { MountedVolumes } from '../../volumes/volumes.js'
import type { EnvironmentVariables } from '../environment/environment-variables.js'
import { expandVariables } from '../environment/expansion.js'
import { type BindMounts, mountSubPath, subPathTarget } from './bind-mounts.js'
import { createWithin, pathWithin, subPathProblem } from './sub-path.js'

export interface VolumeMountRequest {
  readonly container: Container
  readonly volumes: MountedVolumes
  readonly variables: EnvironmentVariables
  /** Sub-paths are bind-mounted below this folder. */
  readonly podFolder: string
  /** Undefined on a simulated host: the runtime then gets the sub-path itself. */
  readonly bindMounts: BindMounts | undefined
  readonly supportsRecursiveReadOnly: boolean
}

/** Returns the mounts of a container. Creates missing sub-paths. Rejects with an `Error` in upstream's words. */
export async function volumeMounts(request: VolumeMountRequest): Promise<readonly PartialMessage<Mount>[]> {
  const mounts: PartialMessage<Mount>[] = []
  for (const [index, mount] of (request.container.volumeMounts ?? []).entries())
    mounts.push(await volumeMount(mount, index, request))
  return mounts
}

async function volumeMount(
  mount: VolumeMount,
  index: number,
  request: VolumeMountRequest,
): Promise<PartialMessage<Mount>> {
  const { container, volumes, variables } = request
  const volume = volumes.get(mount.name)
  if (!volume)
    throw new Error(`cannot find volume ${quote(mount.name)} to mount into container ${quote(container.name)}`)
  const subPath = mount.subPathExpr ? expandedSubPath(mount.subPathExpr, variables) : (mount.subPath ?? '')
  return {
    containerPath: isAbsolute(mount.mountPath) ? mount.mountPath : `/${mount.mountPath}`,
    hostPath: subPath ? await subPathOnHost({ mount, index, subPath, volume: volume.path }, request) : volume.path,
    readonly: mount.readOnly === true || volume.isReadOnly,
    recursiveReadOnly: isRecursivelyReadOnly(mount, request.supportsRecursiveReadOnly),
    propagation: propagationOf(mount.mountPropagation),
  }
}

function expandedSubPath(expression: string, variables: EnvironmentVariables): string {
  const missing = new Set<string>()
  const expanded = expandVariables(expression, (name) => {
    const value = variables.get(name)?.toString() ?? ''
    if (value === '') missing.add(name)
    return value
  })
  if (missing.size > 0) throw new Error(`missing value for ${[...missing].sort(compareText).join(', ')}`)
  return expanded
}

interface SubPath {
  readonly mount: VolumeMount
  readonly index: number
  readonly subPath: string
  readonly volume: string
}

/** Keeps details in `cause`: an event must not reveal files of the host. */
async function subPathOnHost({ mount, index, subPath, volume }: SubPath, request: VolumeMountRequest): Promise<string> {
  const problem = subPathProblem(subPath)
  if (problem !== undefined) throw new Error(problem)
  const { container, bindMounts, podFolder } = request
  const whose = `for volumeMount ${quote(mount.name)} of container ${quote(container.name)}`
  await createWithin(volume, subPath).catch(saying(`failed to create subPath directory ${whose}`))
  const target = subPathTarget(podFolder, mount.name, container.name, index)
  const prepared = bindMounts
    ? mountSubPath({ volume, subPath, target }, bindMounts).then(() => target)
    : pathWithin(volume, subPath)
  return await prepared.catch(saying(`failed to prepare subPath ${whose}`))
}

function saying(message: string): (cause: unknown) => never {
  return (cause) => {
    throw new Error(message, { cause })
  }
}

function propagationOf(mode: MountPropagationMode | undefined): MountPropagation {
  switch (mode) {
    case 'HostToContainer':
      return 'PROPAGATION_HOST_TO_CONTAINER'
    case 'Bidirectional':
      return 'PROPAGATION_BIDIRECTIONAL'
    default:
      return 'PROPAGATION_PRIVATE'
  }
}

function isRecursivelyReadOnly(mount: VolumeMount, isSupported: boolean): boolean {
  const { recursiveReadOnly: mode = 'Disabled', mountPropagation: propagation = 'None' } = mount
  if (mode === 'Disabled') return false
  const rejected = (why: string) =>
    new Error(
      `failed to resolve recursive read-only mode: volume ${quote(mount.name)} requested recursive read-only mode, but it is ${why}`,
    )
  if (!mount.readOnly) throw rejected('not read-only')
  if (propagation !== 'None') throw rejected(`not compatible with propagation ${quote(propagation)}`)
  if (mode === 'Enabled' && !isSupported) throw rejected('not supported by the runtime')
  return isSupported
}

/** Returns the block devices of a container. Throws in upstream's words. */
export function volumeDevices(container: Container, volumes: MountedVolumes): readonly PartialMessage<CriDevice>[] {
  return (container.volumeDevices ?? []).map(({ name, devicePath }) => {
    if (!isAbsolute(devicePath)) throw new Error(`error DevicePath \`${devicePath}\` must be an absolute path`)
    const volume = volumes.get(name)
    if (!volume) throw new Error(`cannot find volume ${quote(name)} to pass into container ${quote(container.name)}`)
    return { containerPath: devicePath, hostPath: volume.path, permissions: volume.isReadOnly ? 'r' : 'mrw' }
  })
}
