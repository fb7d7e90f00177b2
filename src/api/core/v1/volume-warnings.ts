import type { FieldPath } from '../../../schema/field-path.js'
import { quote } from '../../../schema/quote.js'
import { compareText } from '../../../schema/text-order.js'
import { claimSpecWarnings } from './persistent-volume-claim-rules.js'
import type { Volume } from './volume.js'
import type { VolumeProjection } from './volume-projection.js'

/** Types of storage that nothing serves any more, by the names that warnings call them, in the order of the warnings. */
const retired = [
  ['photonPersistentDisk', 'photonPersistentDisk', 'deprecated in v1.11, non-functional in v1.16+'],
  ['gitRepo', 'gitRepo', 'deprecated in v1.11'],
  ['scaleIO', 'scaleIO', 'deprecated in v1.16, non-functional in v1.22+'],
  ['flocker', 'flocker', 'deprecated in v1.22, non-functional in v1.25+'],
  ['storageos', 'storageOS', 'deprecated in v1.22, non-functional in v1.25+'],
  ['quobyte', 'quobyte', 'deprecated in v1.22, non-functional in v1.25+'],
  ['glusterfs', 'glusterfs', 'deprecated in v1.25, non-functional in v1.26+'],
  ['cephfs', 'cephfs', 'deprecated in v1.28, non-functional in v1.31+'],
  ['rbd', 'rbd', 'deprecated in v1.28, non-functional in v1.31+'],
] as const

/** What is doubtful about the volumes of a pod; `path` leads to `volumes`. */
export function volumeWarnings(volumes: readonly Volume[] | undefined, path: FieldPath): readonly string[] {
  if (!volumes) return []
  const types = volumes.flatMap((volume, i) => typeWarnings(volume, path.index(i)))
  return [...types, ...volumes.flatMap(overlapWarnings)]
}

function typeWarnings(volume: Volume, path: FieldPath): readonly string[] {
  const warnings = retired
    .filter(([type]) => volume[type])
    .map(([, shown, notice]) => `${path.child(shown)}: ${notice}`)
  const template = volume.ephemeral?.volumeClaimTemplate
  if (!template) return warnings
  return [...warnings, ...claimSpecWarnings(template.spec, path.child('ephemeral', 'volumeClaimTemplate', 'spec'))]
}

/** Of files that are written at the same place, or one of them where the other needs a folder, only one survives. */
function overlapWarnings({ name, configMap, secret, downwardAPI, projected }: Volume): readonly string[] {
  const warnings: string[] = []
  const volume = `volume ${quote(name)}`
  if (configMap?.items)
    warnings.push(...overlaps(pathsOf(configMap.items), `${volume} (ConfigMap ${quote(configMap.name ?? '')})`))
  if (secret?.items)
    warnings.push(...overlaps(pathsOf(secret.items), `${volume} (Secret ${quote(secret.secretName ?? '')})`))
  if (downwardAPI?.items) warnings.push(...overlaps(pathsOf(downwardAPI.items), `${volume} (DownwardAPI)`))
  if (projected) warnings.push(...projectionWarnings(projected.sources ?? [], volume))
  return warnings
}

function projectionWarnings(sources: readonly VolumeProjection[], volume: string): readonly string[] {
  const warnings: string[] = []
  const all = new Set<string>()
  for (const source of sources) {
    const projected = projectedPaths(source)
    if (Object.values(source).every((part) => !part)) warnings.push(`${volume} (Projected) has no sources provided`)
    if (!projected || projected.paths.length === 0) continue
    const title = `${volume} (Projected ${projected.title})`
    const distinct = new Set(projected.paths)
    warnings.push(...overlaps(projected.paths, title), ...overlaps([...distinct, ...all].sort(compareText), title))
    for (const path of distinct) all.add(path)
  }
  return warnings
}

interface ProjectedPaths {
  readonly title: string
  readonly paths: readonly string[]
}

function projectedPaths({
  configMap,
  secret,
  downwardAPI,
  serviceAccountToken,
}: VolumeProjection): ProjectedPaths | undefined {
  if (configMap?.items) return { title: `ConfigMap ${quote(configMap.name ?? '')}`, paths: pathsOf(configMap.items) }
  if (secret?.items) return { title: `Secret ${quote(secret.name ?? '')}`, paths: pathsOf(secret.items) }
  if (downwardAPI?.items) return { title: 'DownwardAPI', paths: pathsOf(downwardAPI.items) }
  return serviceAccountToken && { title: 'ServiceAccountToken', paths: [serviceAccountToken.path] }
}

function pathsOf(items: readonly { readonly path: string }[]): readonly string[] {
  return items.map(({ path }) => path)
}

function overlaps(paths: readonly string[], title: string): readonly string[] {
  const seen = new Set<string>()
  const warnings: string[] = []
  for (const path of paths) {
    const trimmed = path.replace(/\/+$/, '')
    const other = trimmed === '' ? undefined : [...seen].find((one) => isOverlap(one, trimmed))
    if (other !== undefined) warnings.push(`${title}: overlapping paths: ${quote(trimmed)} with ${quote(other)}`)
    seen.add(trimmed)
  }
  return warnings
}

/** The beginning of a name is taken for a folder, rightly or not. */
function isOverlap(one: string, other: string): boolean {
  return one !== '' && (`${one}/`.startsWith(other) || `${other}/`.startsWith(one))
}
