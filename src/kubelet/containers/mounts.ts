import { isAbsolute } from 'node:path'
import type { Container, MountPropagationMode, VolumeMount } from '../../api/core/v1/container.js'
import type { Mount, MountPropagation } from '../../cri/interface/container.js'
import type { Draft } from '../../cri/interface/message.js'
import { quote } from '../../schema/quote.js'
import { compareText } from '../../schema/text-order.js'
import type { MountedVolumes } from '../volumes/volumes.js'
import { type BindMounts, mountSubPath, subPathTarget } from './bind-mounts.js'
import type { Variables } from './environment-variables.js'
import { expand } from './expansion.js'
import { makeWithin, pathWithin, subPathProblem } from './sub-path.js'

export interface MountRequest {
  readonly container: Container
  readonly volumes: MountedVolumes
  readonly variables: Variables
  /** Where sub-paths are mounted for the runtime. */
  readonly podFolder: string
  /** Undefined where nothing can be mounted, and nothing that runs could do harm: then the runtime is told the path itself. */
  readonly bindMounts: BindMounts | undefined
  readonly supportsRecursiveReadOnly: boolean
}

/** Makes the sub-paths that are missing. Rejects with an `Error` in upstream's words. */
export async function volumeMounts(request: MountRequest): Promise<readonly Draft<Mount>[]> {
  const mounts: Draft<Mount>[] = []
  for (const [index, mount] of (request.container.volumeMounts ?? []).entries())
    mounts.push(await volumeMount(mount, index, request))
  return mounts
}

async function volumeMount(mount: VolumeMount, index: number, request: MountRequest): Promise<Draft<Mount>> {
  const { container, volumes, variables } = request
  const volume = volumes.get(mount.name)
  if (!volume)
    throw new Error(`cannot find volume ${quote(mount.name)} to mount into container ${quote(container.name)}`)
  const subPath = mount.subPathExpr ? expandedSubPath(mount.subPathExpr, variables) : (mount.subPath ?? '')
  return {
    containerPath: isAbsolute(mount.mountPath) ? mount.mountPath : `/${mount.mountPath}`,
    hostPath: subPath ? await subPathPlace({ mount, index, subPath, volume: volume.path }, request) : volume.path,
    readonly: mount.readOnly === true || volume.isReadOnly,
    recursiveReadOnly: isRecursivelyReadOnly(mount, request.supportsRecursiveReadOnly),
    propagation: propagationOf(mount.mountPropagation),
  }
}

function expandedSubPath(expression: string, variables: Variables): string {
  const missing = new Set<string>()
  const expanded = expand(expression, (name) => {
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

/** What went wrong in detail would tell a user about the node's files: only that it did is told. */
async function subPathPlace({ mount, index, subPath, volume }: SubPath, request: MountRequest): Promise<string> {
  const problem = subPathProblem(subPath)
  if (problem !== undefined) throw new Error(problem)
  const { container, bindMounts, podFolder } = request
  const whose = `for volumeMount ${quote(mount.name)} of container ${quote(container.name)}`
  await makeWithin(volume, subPath).catch(saying(`failed to create subPath directory ${whose}`))
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
  const refused = (why: string) =>
    new Error(
      `failed to resolve recursive read-only mode: volume ${quote(mount.name)} requested recursive read-only mode, but it is ${why}`,
    )
  if (!mount.readOnly) throw refused('not read-only')
  if (propagation !== 'None') throw refused(`not compatible with propagation ${quote(propagation)}`)
  if (mode === 'Enabled' && !isSupported) throw refused('not supported by the runtime')
  return isSupported
}
