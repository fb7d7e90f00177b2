import type { Pod } from '../../api/core/v1/pod.js'
import type { PodTemplateSpec } from '../../api/core/v1/pod-template.js'
import type { Given } from '../../client/resource-client.js'
import type { JsonValue } from '../../schema/declaration.js'
import { isList, isObject } from '../../schema/json-value.js'
import { controllerReference, type OwnerObject } from '../runtime/owners.js'

/** The pod that a template describes, in the namespace of its owner. Shares parts of the template, which is never mutated. */
export function podFromTemplate(template: PodTemplateSpec, owner: OwnerObject): Given<Pod> {
  const { labels, annotations, finalizers } = template.metadata ?? {}
  const metadata = {
    generateName: podNamePrefix(owner.metadata.name!),
    namespace: owner.metadata.namespace!,
    ...(labels && { labels }),
    ...(annotations && { annotations }),
    ...(finalizers && { finalizers }),
    ownerReferences: [controllerReference(owner)],
  }
  return { metadata, ...(template.spec && { spec: template.spec }) }
}

const maxNameLength = 253

/** Ends with a dash if there is room for one. */
export function podNamePrefix(ownerName: string): string {
  return ownerName.length < maxNameLength ? `${ownerName}-` : ownerName
}

/** The label that distinguishes the pods of different templates of one owner. */
export const templateHashLabel = 'pod-template-hash'

/**
 * A short name of a template, of letters and digits that form no words. Two templates may have the same hash; counting such collisions in
 * `collisions` leads to another hash.
 */
export function templateHash(template: PodTemplateSpec, collisions?: number): string {
  const counted = collisions === undefined ? '' : `#${collisions}`
  const hash = fnv32a(canonicalText(template as JsonValue) + counted)
  return safelyEncoded(String(hash).padStart(minHashLength, '0'))
}

const minHashLength = 8

/** The 32-bit FNV-1a hash of the text in UTF-8. */
function fnv32a(text: string): number {
  let hash = 0x811c9dc5
  for (const byte of Buffer.from(text)) hash = Math.imul(hash ^ byte, 0x01000193)
  return hash >>> 0
}

/** Without vowels, and without digits that look like vowels, so that no words appear. */
const alphabet = 'bcdfghjklmnpqrstvwxz2456789'

function safelyEncoded(text: string): string {
  return text.replace(/./g, (character) => alphabet[character.charCodeAt(0) % alphabet.length]!)
}

/** JSON with sorted keys. */
function canonicalText(value: JsonValue): string {
  if (isList(value)) return `[${value.map(canonicalText).join(',')}]`
  if (!isObject(value)) return JSON.stringify(value)
  const members = Object.keys(value).filter((key) => value[key] !== undefined)
  return `{${members
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonicalText(value[key]!)}`)
    .join(',')}}`
}
