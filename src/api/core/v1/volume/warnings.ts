import type { FieldPath } from '../../../../schema/field-path.js'
import { quote } from '../../../../schema/quote.js'
import { claimSpecWarnings } from '../persistent-volume-claim/validation.js'
import type { Volume } from '../volume.js'
import type { VolumeProjection } from './projection.js'

/** Removed volume types with their names in warnings, in the order of the warnings. */
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

const retiredTypes: ReadonlySet<string> = new Set(retired.map(([type]) => type))

/** Warnings about the volumes of a pod; `path` leads to `volumes`. */
export function volumeWarnings(volumes: readonly Volume[] | undefined, path: FieldPath): readonly string[] {
  const warnings: string[] = []
  if (!volumes) return warnings
  for (const [i, volume] of volumes.entries()) addTypeWarnings(volume, path.index(i), warnings)
  for (const volume of volumes) addFileWarnings(volume, warnings)
  return warnings
}

function addTypeWarnings(volume: Volume, path: FieldPath, warnings: string[]): void {
  if (Object.keys(volume).some((name) => retiredTypes.has(name)))
    for (const [type, shown, notice] of retired) if (volume[type]) warnings.push(`${path.child(shown)}: ${notice}`)
  const template = volume.ephemeral?.volumeClaimTemplate
  if (template)
    warnings.push(...claimSpecWarnings(template.spec, path.child('ephemeral', 'volumeClaimTemplate', 'spec')))
}

function addFileWarnings({ name, configMap, secret, downwardAPI, projected }: Volume, warnings: string[]): void {
  const tell = (title: string, what: string) => void warnings.push(`volume ${quote(name)} (${title})${what}`)
  const tellOverlaps = (title: string, files: readonly File[]) => {
    for (const pair of overlaps(files)) tell(title, `: overlapping paths: ${pair}`)
  }
  if (configMap?.items) tellOverlaps(`ConfigMap ${quote(configMap.name ?? '')}`, filesOf(configMap.items))
  if (secret?.items) tellOverlaps(`Secret ${quote(secret.secretName ?? '')}`, filesOf(secret.items))
  if (downwardAPI?.items) tellOverlaps('DownwardAPI', filesOf(downwardAPI.items))
  if (!projected?.sources) return
  for (const source of projected.sources) if (isEmpty(source)) tell('Projected', ' has no sources provided')
  const files: File[] = []
  for (const source of projected.sources) files.push(...projectedFiles(source))
  tellOverlaps('Projected', files)
}

function isEmpty(source: VolumeProjection): boolean {
  for (const name in source) if (source[name as keyof VolumeProjection]) return false
  return true
}

interface File {
  readonly path: string
  /** Its source; undefined in a volume with a single source. */
  readonly source: VolumeProjection | undefined
}

function filesOf(items: readonly { readonly path: string }[], source?: VolumeProjection): readonly File[] {
  return items.map(({ path }) => ({ path: path.endsWith('/') ? path.replace(/\/+$/, '') : path, source }))
}

function projectedFiles(source: VolumeProjection): readonly File[] {
  const { configMap, secret, downwardAPI, serviceAccountToken } = source
  if (configMap) return filesOf(configMap.items ?? [], source)
  if (secret) return filesOf(secret.items ?? [], source)
  if (downwardAPI) return filesOf(downwardAPI.items ?? [], source)
  return serviceAccountToken ? filesOf([serviceAccountToken], source) : []
}

/** Warnings about files with the same path, or with a path that is a folder of the other: only one is written. */
function overlaps(files: readonly File[]): readonly string[] {
  const pairs: string[] = []
  for (let i = 1; i < files.length; i++)
    for (let j = 0; j < i; j++)
      if (isOverlap(files[i]!.path, files[j]!.path)) pairs.push(`${shown(files[i]!)} with ${shown(files[j]!)}`)
  return pairs
}

function isOverlap(one: string, other: string): boolean {
  return one !== '' && other !== '' && (isWithin(one, other) || isWithin(other, one))
}

function isWithin(path: string, folder: string): boolean {
  return path.startsWith(folder) && (path.length === folder.length || path[folder.length] === '/')
}

function shown({ path, source }: File): string {
  return source ? `${quote(path)} (${sourceName(source)})` : quote(path)
}

function sourceName({ configMap, secret, downwardAPI }: VolumeProjection): string {
  if (configMap) return `ConfigMap ${quote(configMap.name ?? '')}`
  if (secret) return `Secret ${quote(secret.name ?? '')}`
  return downwardAPI ? 'DownwardAPI' : 'ServiceAccountToken'
}
