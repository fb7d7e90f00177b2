import type { Pod } from '../../api/core/v1/pod.js'
import type { Volume } from '../../api/core/v1/volume.js'
import type { Environment } from '../../base/environment.js'
import { writeAtomically } from './atomic-files.js'
import { setUpEmptyDir } from './empty-dir.js'
import { type FileSources, type FileVolume, fileVolume } from './file-volumes.js'
import { ensureHostPath } from './host-path.js'
import type { Mounts } from './mounts.js'
import { createNestedMountPoints } from './nested-mounts.js'
import { setGroupOwnership } from './ownership.js'
import { type Payload, samePayload } from './payload.js'
import { type PluginName, readyFile, volumeFolder } from './volume-paths.js'
import type { MountedVolume } from './volumes.js'

export interface VolumeSetupDependencies extends FileSources {
  readonly environment: Environment
  readonly mounts: Mounts
}

export interface VolumeSetupRequest {
  readonly pod: Pod
  /** The pod's folder. */
  readonly folder: string
  readonly volume: Volume
  /** The last setup by this kubelet. */
  readonly previous: VolumeState | undefined
  readonly signal?: AbortSignal | undefined
}

export interface VolumeState {
  readonly mounted: MountedVolume
  /** The files as last written. Undefined for volumes without files of the kubelet. */
  readonly files: Payload | undefined
  /** When to refresh it, in milliseconds since the epoch. */
  readonly refreshAt: number
}

const never = Number.POSITIVE_INFINITY

/** Sets up a volume or refreshes its contents. The error does not name the volume. */
export async function setUpVolume(
  dependencies: VolumeSetupDependencies,
  request: VolumeSetupRequest,
): Promise<VolumeState> {
  const { volume, previous } = request
  const files = fileVolume(volume)
  if (files) return setUpFileVolume(dependencies, request, files)
  if (previous) return previous
  if (volume.hostPath) {
    ensureHostPath(volume.hostPath)
    return volumeAt(volume.hostPath.path)
  }
  if (volume.emptyDir) return volumeAt(await emptyDirFor(dependencies, request, 'empty-dir', volume.emptyDir))
  throw new Error(`${kindOf(volume)} volumes are not supported by this kubelet`)
}

function volumeAt(path: string): VolumeState {
  return { mounted: { path, isReadOnly: false }, files: undefined, refreshAt: never }
}

async function setUpFileVolume(
  dependencies: VolumeSetupDependencies,
  request: VolumeSetupRequest,
  kind: FileVolume,
): Promise<VolumeState> {
  const { pod, volume, previous, signal } = request
  const { files, refreshAt } = await kind.collect({ pod, sources: dependencies, signal })
  if (previous?.files && samePayload(previous.files, files)) return { ...previous, refreshAt }
  const path =
    previous?.mounted.path ?? (await emptyDirFor(dependencies, request, kind.plugin, { medium: kind.medium }))
  if (!previous) createNestedMountPoints(pod, volume.name, path)
  const { fsGroup } = pod.spec.securityContext ?? {}
  const prepare = fsGroup === undefined ? undefined : () => setGroupOwnership(path, fsGroup, true)
  writeAtomically({ folder: path, payload: files, environment: dependencies.environment, prepare })
  return { mounted: { path, isReadOnly: true }, files, refreshAt }
}

/** File volumes are emptyDirs with contents. */
async function emptyDirFor(
  { mounts, allocatable }: VolumeSetupDependencies,
  { pod, folder: podFolder, volume: { name } }: VolumeSetupRequest,
  plugin: PluginName,
  source: NonNullable<Volume['emptyDir']>,
): Promise<string> {
  const folder = volumeFolder(podFolder, plugin, name)
  const ready = readyFile(podFolder, plugin, name)
  await setUpEmptyDir({ pod, source, folder, ready, mounts, allocatableMemory: allocatable().memory })
  return folder
}

function kindOf(volume: Volume): string {
  return Object.keys(volume).find((field) => field !== 'name') ?? 'nameless'
}
