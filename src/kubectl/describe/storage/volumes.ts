import type { DownwardAPIVolumeSource, ProjectedVolumeSource } from '../../../api/core/v1/volume/projection.js'
import type { EphemeralVolumeSource, Volume } from '../../../api/core/v1/volume.js'
import type { JsonObject, JsonValue } from '../../../schema/declaration.js'
import { goText } from '../../../schema/go-text.js'
import { isObject, memberOf } from '../../../schema/json-value.js'
import { Quantity } from '../../../schema/values/quantity.js'
import { shortenedText } from '../metadata.js'
import type { DescriptionPage } from '../page.js'
import { noneText, sortedKeys, type TextMap, unsetText } from '../text.js'
import { writeClaim } from './persistent-volume-claim.js'
import { podSources, type SourceWords, sharedSources } from './volume-sources.js'

export function writeVolumes(page: DescriptionPage, volumes: readonly Volume[] = [], space = ''): void {
  if (volumes.length === 0) {
    page.line(0, `${space}Volumes:`, noneText)
    return
  }
  page.line(0, `${space}Volumes:`)
  for (const volume of volumes) {
    page.line(1, `${space === '' ? '' : ' '}${volume.name}:`)
    writeSource(page, volume)
  }
}

function writeSource(page: DescriptionPage, volume: Volume): void {
  const { emptyDir, ephemeral, downwardAPI, projected, csi, fc } = volume
  if (emptyDir) writeEmptyDirectory(page, emptyDir)
  else if (ephemeral) writeEphemeral(page, ephemeral)
  else if (downwardAPI) writeDownwardApi(page, downwardAPI)
  else if (projected) writeProjected(page, projected)
  else if (csi) writeCsi(page, csi)
  else if (fc) writeFibreChannel(page, fc)
  else if (!writeKnownSource(page, volume as unknown as JsonObject, { ...podSources, ...sharedSources }))
    page.line(1, '<unknown>')
}

/** Returns false if the volume has none of the sources. */
export function writeKnownSource(
  page: DescriptionPage,
  volume: JsonObject,
  known: Readonly<Record<string, SourceWords>>,
): boolean {
  const found = Object.keys(known).find((name) => isObject(volume[name]))
  if (found === undefined) return false
  const { type, fields } = known[found]!
  page.field('Type', type, 2)
  for (const [label, field, absent = ''] of fields)
    page.line(2, label, shownValue(valueAt(volume[found] as JsonObject, field), absent))
  return true
}

function valueAt(source: JsonObject, path: string): JsonValue | undefined {
  return path.split('.').reduce<JsonValue | undefined>((value, name) => {
    return isObject(value) ? memberOf(value, name) : undefined
  }, source)
}

function shownValue(value: JsonValue | undefined, absent: unknown): string {
  if (value === undefined || value === null) return String(absent)
  if (!isObject(value) || absent !== 'nil') return goText(value)
  return referenceText(value)
}

/** Formats a reference to a secret as Go prints its type. */
function referenceText(reference: JsonObject): string {
  const { name = '', namespace } = reference as { readonly name?: string; readonly namespace?: string }
  return namespace === undefined
    ? `&LocalObjectReference{Name:${name},}`
    : `&SecretReference{Name:${name},Namespace:${namespace},}`
}

function writeEmptyDirectory(page: DescriptionPage, { medium = '', sizeLimit }: NonNullable<Volume['emptyDir']>): void {
  page.field('Type', "EmptyDir (a temporary directory that shares a pod's lifetime)", 2)
  page.field('Medium', medium, 2)
  page.field('SizeLimit', sizeLimit !== undefined && Quantity.parse(sizeLimit).sign() > 0 ? sizeLimit : unsetText, 2)
}

function writeEphemeral(page: DescriptionPage, { volumeClaimTemplate }: EphemeralVolumeSource): void {
  page.field(
    'Type',
    'EphemeralVolume (an inline specification for a volume that gets created and deleted with the pod)',
    2,
  )
  if (volumeClaimTemplate) writeClaim(page.indented(2), volumeClaimTemplate)
}

function writeDownwardApi(page: DescriptionPage, { items = [] }: DownwardAPIVolumeSource): void {
  page.field('Type', 'DownwardAPI (a volume populated by information about the pod)', 2)
  page.line(2, 'Items:')
  for (const { path, fieldRef, resourceFieldRef } of items) {
    if (fieldRef) page.line(3, `${fieldRef.fieldPath} -> ${path}`)
    if (resourceFieldRef) page.line(3, `${resourceFieldRef.resource} -> ${path}`)
  }
}

function writeProjected(page: DescriptionPage, { sources = [] }: ProjectedVolumeSource): void {
  page.field('Type', 'Projected (a volume that contains injected data from multiple sources)', 2)
  for (const { secret, downwardAPI, configMap, serviceAccountToken } of sources)
    if (secret) {
      page.field('SecretName', secret.name ?? '', 2)
      page.field('SecretOptionalName', secret.optional ?? '<nil>', 2)
    } else if (downwardAPI) page.field('DownwardAPI', true, 2)
    else if (configMap) {
      page.field('ConfigMapName', configMap.name ?? '', 2)
      page.field('ConfigMapOptional', configMap.optional ?? '<nil>', 2)
    } else if (serviceAccountToken) page.field('TokenExpirationSeconds', serviceAccountToken.expirationSeconds ?? 0, 2)
}

function writeCsi(
  page: DescriptionPage,
  { driver, fsType = '', readOnly = false, volumeAttributes }: NonNullable<Volume['csi']>,
): void {
  page.field('Type', csiType, 2)
  page.field('Driver', driver, 2)
  page.field('FSType', fsType, 2)
  page.field('ReadOnly', readOnly, 2)
  writeVolumeAttributes(page, volumeAttributes)
}

export const csiType = 'CSI (a Container Storage Interface (CSI) volume source)'
const longestAttribute = 140

export function writeVolumeAttributes(page: DescriptionPage, attributes: TextMap | undefined): void {
  const lines = sortedKeys(attributes).map((key) => shortenedText(`${key}=${attributes![key]}`, longestAttribute))
  const [first, ...others] = lines
  if (first === undefined) {
    page.field('VolumeAttributes', noneText, 2)
    return
  }
  // Each part of a line is indented by itself in the original, which shows.
  page.text(`    VolumeAttributes:\t    ${first}\n`)
  for (const line of others) page.text(`        \t    ${line}\n`)
}

export function writeFibreChannel(page: DescriptionPage, source: NonNullable<Volume['fc']>): void {
  const { targetWWNs = [], lun, fsType = '', readOnly = false } = source
  page.field('Type', 'FC (a Fibre Channel disk)', 2)
  page.field('TargetWWNs', targetWWNs.join(', '), 2)
  page.field('LUN', lun ?? noneText, 2)
  page.field('FSType', fsType, 2)
  page.field('ReadOnly', readOnly, 2)
}
