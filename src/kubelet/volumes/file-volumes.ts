import type { Pod } from '../../api/core/v1/pod.js'
import type { ProjectedVolumeSource, VolumeProjection } from '../../api/core/v1/volume/projection.js'
import type { Volume } from '../../api/core/v1/volume.js'
import { aggregateMessages } from '../../schema/field-errors.js'
import type { ConfigMapsAndSecrets } from '../objects/config-maps-and-secrets.js'
import { type Allocatable, downwardApiFiles } from './downward-api.js'
import { configMapFiles, secretFiles } from './object-files.js'
import type { Payload, VolumeFile } from './payload.js'
import type { PodTokens } from './pod-tokens.js'
import type { PluginName } from './volume-paths.js'

export interface FileSources {
  readonly objects: ConfigMapsAndSecrets
  readonly tokens: PodTokens
  readonly allocatable: () => Allocatable
}

export interface FileVolume {
  readonly plugin: PluginName
  /** On disk or in memory. */
  readonly medium: '' | 'Memory'
  collect(request: FileRequest): Promise<CollectedFiles>
}

export interface FileRequest {
  readonly pod: Pod
  readonly sources: FileSources
  readonly signal?: AbortSignal | undefined
}

export interface CollectedFiles {
  readonly files: Payload
  /** When the files must be collected again, in milliseconds since the epoch. */
  readonly refreshAt: number
}

const never = Number.POSITIVE_INFINITY
/** The API server's default. */
const usualMode = 0o644

/** Returns a volume whose files the kubelet writes, or undefined. */
export function fileVolume(volume: Volume): FileVolume | undefined {
  const { configMap, secret, downwardAPI, projected } = volume
  if (configMap) return configMapVolume(configMap)
  if (secret) return secretVolume(secret)
  if (downwardAPI) return downwardApiVolume(downwardAPI)
  return projected && projectedVolume(projected)
}

function configMapVolume(source: NonNullable<Volume['configMap']>): FileVolume {
  const { name = '', items, optional, defaultMode = usualMode } = source
  return {
    plugin: 'configmap',
    medium: '',
    async collect({ pod, sources, signal }) {
      const object = sources.objects.configMap(pod.metadata.namespace!, name, signal)
      return { files: await configMapFiles(object, { items, optional, defaultMode }), refreshAt: never }
    },
  }
}

function secretVolume(source: NonNullable<Volume['secret']>): FileVolume {
  const { secretName = '', items, optional, defaultMode = usualMode } = source
  return {
    plugin: 'secret',
    medium: 'Memory',
    async collect({ pod, sources, signal }) {
      const object = sources.objects.secret(pod.metadata.namespace!, secretName, signal)
      return { files: await secretFiles(object, { items, optional, defaultMode }), refreshAt: never }
    },
  }
}

function downwardApiVolume(source: NonNullable<Volume['downwardAPI']>): FileVolume {
  const { items = [], defaultMode = usualMode } = source
  return {
    plugin: 'downward-api',
    medium: 'Memory',
    async collect({ pod, sources }) {
      return {
        files: downwardApiFiles({ pod, items, defaultMode, allocatable: sources.allocatable() }),
        refreshAt: never,
      }
    },
  }
}

function projectedVolume({ sources: parts = [], defaultMode = usualMode }: ProjectedVolumeSource): FileVolume {
  return {
    plugin: 'projected',
    medium: 'Memory',
    async collect(request) {
      const collecting = parts.map((part) => projectedPart(part, defaultMode, request))
      const results = await Promise.allSettled(collecting)
      const failures = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as Error] : []))
      if (failures.length > 0)
        throw new Error(aggregateMessages(failures.map(({ message }) => message)), { cause: failures[0] })
      return merged(await Promise.all(collecting))
    },
  }
}

/** Of two files with the same path, the later one wins. */
function merged(parts: readonly CollectedFiles[]): CollectedFiles {
  const files = new Map<string, VolumeFile>()
  for (const part of parts) for (const [path, file] of part.files) files.set(path, file)
  return { files, refreshAt: Math.min(never, ...parts.map(({ refreshAt }) => refreshAt)) }
}

async function projectedPart(
  part: VolumeProjection,
  defaultMode: number,
  request: FileRequest,
): Promise<CollectedFiles> {
  const { secret, configMap, downwardAPI, serviceAccountToken } = part
  if (secret) return secretVolume({ ...secret, secretName: secret.name ?? '', defaultMode }).collect(request)
  if (configMap) return configMapVolume({ ...configMap, defaultMode }).collect(request)
  if (downwardAPI) return downwardApiVolume({ ...downwardAPI, defaultMode }).collect(request)
  if (serviceAccountToken) return tokenFile(serviceAccountToken, defaultMode, request)
  const [kind = 'an empty source'] = Object.keys(part)
  throw new Error(`${kind} in a projected volume is not supported by this kubelet`)
}

async function tokenFile(
  projection: NonNullable<VolumeProjection['serviceAccountToken']>,
  defaultMode: number,
  { pod, sources, signal }: FileRequest,
): Promise<CollectedFiles> {
  const { text, refreshAt } = await sources.tokens.token(pod, projection, signal)
  const owner = fileUser(pod)
  // Only the user of the pod may read a token. A group gets access by fsGroup.
  const isOwned = owner !== undefined || pod.spec.securityContext?.fsGroup !== undefined
  const file: VolumeFile = { text, encoding: 'utf8', mode: isOwned ? 0o600 : defaultMode, owner }
  return { files: new Map([[projection.path, file]]), refreshAt }
}

/** Returns the user of all containers of a pod. Undefined if they differ or the image decides. */
export function fileUser({ spec }: Pod): number | undefined {
  const containers = [...(spec.initContainers ?? []), ...spec.containers]
  const users = new Set(
    containers.map(({ securityContext }) => securityContext?.runAsUser ?? spec.securityContext?.runAsUser),
  )
  return users.size === 1 ? [...users][0] : undefined
}
