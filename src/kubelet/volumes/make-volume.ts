import type { Pod } from '../../api/core/v1/pod.js'
import type { Volume } from '../../api/core/v1/volume.js'
import type { Environment } from '../../base/environment.js'
import { writeAtomically } from './atomic-files.js'
import { makeEmptyDir } from './empty-dir.js'
import { type FileSources, type FileVolume, fileVolume } from './file-volumes.js'
import { checkHostPath } from './host-path.js'
import type { Mounts } from './mounts.js'
import { makeNestedMountPoints } from './nested-mounts.js'
import { giveToGroup } from './ownership.js'
import { type Payload, samePayload } from './payload.js'
import { type PluginName, readyFile, volumeFolder } from './places.js'
import type { MountedVolume } from './volumes.js'

export interface MakingParts extends FileSources {
  readonly environment: Environment
  readonly mounts: Mounts
}

export interface VolumeRequest {
  readonly pod: Pod
  /** The folder of the pod. */
  readonly folder: string
  readonly volume: Volume
  /** As it was made before, in this life of the kubelet. */
  readonly previous: MadeVolume | undefined
  readonly signal?: AbortSignal | undefined
}

export interface MadeVolume {
  readonly mounted: MountedVolume
  /** As they were last written; undefined for volumes whose files are not ours. */
  readonly files: Payload | undefined
  /** When it has to be looked at again, in milliseconds since the epoch. */
  readonly refreshAt: number
}

const never = Number.POSITIVE_INFINITY

/** Makes a volume, or brings it up to date. Throws what is wrong, without saying with which volume. */
export async function makeVolume(parts: MakingParts, request: VolumeRequest): Promise<MadeVolume> {
  const { volume, previous } = request
  const files = fileVolume(volume)
  if (files) return makeFiles(parts, request, files)
  if (previous) return previous
  if (volume.hostPath) {
    checkHostPath(volume.hostPath)
    return made(volume.hostPath.path)
  }
  if (volume.emptyDir) return made(await emptyDirFor(parts, request, 'empty-dir', volume.emptyDir))
  throw new Error(`${kindOf(volume)} volumes are not supported by this kubelet`)
}

function made(path: string): MadeVolume {
  return { mounted: { path, isReadOnly: false }, files: undefined, refreshAt: never }
}

async function makeFiles(parts: MakingParts, request: VolumeRequest, kind: FileVolume): Promise<MadeVolume> {
  const { pod, volume, previous, signal } = request
  const { files, refreshAt } = await kind.collect({ pod, sources: parts, signal })
  if (previous?.files && samePayload(previous.files, files)) return { ...previous, refreshAt }
  const path = previous?.mounted.path ?? (await emptyDirFor(parts, request, kind.plugin, { medium: kind.medium }))
  if (!previous) makeNestedMountPoints(pod, volume.name, path)
  const { fsGroup } = pod.spec.securityContext ?? {}
  const prepare = fsGroup === undefined ? undefined : () => giveToGroup(path, fsGroup, true)
  writeAtomically({ folder: path, payload: files, environment: parts.environment, prepare })
  return { mounted: { path, isReadOnly: true }, files, refreshAt }
}

/** Volumes of files are empty ones that are filled. */
async function emptyDirFor(
  { mounts, allocatable }: MakingParts,
  { pod, folder: podFolder, volume: { name } }: VolumeRequest,
  plugin: PluginName,
  source: NonNullable<Volume['emptyDir']>,
): Promise<string> {
  const folder = volumeFolder(podFolder, plugin, name)
  const ready = readyFile(podFolder, plugin, name)
  await makeEmptyDir({ pod, source, folder, ready, mounts, allocatableMemory: allocatable().memory })
  return folder
}

function kindOf(volume: Volume): string {
  return Object.keys(volume).find((field) => field !== 'name') ?? 'nameless'
}
