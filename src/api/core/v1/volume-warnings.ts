import type { FieldPath } from '../../../schema/field-path.js'
import { quote } from '../../../schema/quote.js'
import { claimSpecWarnings } from './persistent-volume-claim-rules.js'
import type { Volume } from './volume.js'
import type { VolumeProjection } from './volume-projection.js'

/** Types of storage that nothing serves any more, by the names that warnings call them, in the order of the warnings. */
const retired = [
  ['photonPersistentDisk', 'photonPersistentDisk', 'deprecated in v1.11, non-functional in v1.16+'],
  ['gitRepo', 'gitRepo', 'deprecated in v1.11, and disabled by default in v1.33+'],
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
  return [...types, ...volumes.flatMap(fileWarnings)]
}

function typeWarnings(volume: Volume, path: FieldPath): readonly string[] {
  const warnings = retired
    .filter(([type]) => volume[type])
    .map(([, shown, notice]) => `${path.child(shown)}: ${notice}`)
  const template = volume.ephemeral?.volumeClaimTemplate
  if (!template) return warnings
  return [...warnings, ...claimSpecWarnings(template.spec, path.child('ephemeral', 'volumeClaimTemplate', 'spec'))]
}

function fileWarnings({ name, configMap, secret, downwardAPI, projected }: Volume): readonly string[] {
  const volume = `volume ${quote(name)}`
  const warnings: string[] = []
  const add = (title: string, files: readonly File[]) => {
    for (const pair of overlaps(files)) warnings.push(`${volume} (${title}): overlapping paths: ${pair}`)
  }
  if (configMap?.items) add(`ConfigMap ${quote(configMap.name ?? '')}`, filesOf(configMap.items))
  if (secret?.items) add(`Secret ${quote(secret.secretName ?? '')}`, filesOf(secret.items))
  if (downwardAPI?.items) add('DownwardAPI', filesOf(downwardAPI.items))
  for (const source of projected?.sources ?? [])
    if (Object.values(source).every((part) => !part)) warnings.push(`${volume} (Projected) has no sources provided`)
  if (projected) add('Projected', projected.sources?.flatMap(projectedFiles) ?? [])
  return warnings
}

interface File {
  readonly path: string
  /** Where it comes from; empty in a volume that has only one source. */
  readonly source: string
}

function filesOf(items: readonly { readonly path: string }[] | undefined, source = ''): readonly File[] {
  return items?.map(({ path }) => ({ path, source })) ?? []
}

function projectedFiles({ configMap, secret, downwardAPI, serviceAccountToken }: VolumeProjection): readonly File[] {
  if (configMap) return filesOf(configMap.items, `ConfigMap ${quote(configMap.name ?? '')}`)
  if (secret) return filesOf(secret.items, `Secret ${quote(secret.name ?? '')}`)
  if (downwardAPI) return filesOf(downwardAPI.items, 'DownwardAPI')
  return serviceAccountToken ? filesOf([serviceAccountToken], 'ServiceAccountToken') : []
}

/** Of files at the same place, or of which one stands where the other needs a folder, only one survives. */
function overlaps(files: readonly File[]): readonly string[] {
  const trimmed = files.map(({ path, source }) => ({ path: path.replace(/\/+$/, ''), source }))
  return trimmed.flatMap((file, i) =>
    trimmed
      .slice(0, i)
      .filter((other) => isOverlap(file.path, other.path))
      .map((other) => `${shown(file)} with ${shown(other)}`),
  )
}

function isOverlap(one: string, other: string): boolean {
  return one !== '' && other !== '' && (`${one}/`.startsWith(`${other}/`) || `${other}/`.startsWith(`${one}/`))
}

function shown({ path, source }: File): string {
  return source === '' ? quote(path) : `${quote(path)} (${source})`
}
