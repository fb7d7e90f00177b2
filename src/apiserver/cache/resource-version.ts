import type { KubeObject } from '../../api/kube-object.js'
import type { ObjectMeta } from '../../api/meta/v1/object-meta.js'

/** The fields before the resource version in canonical form. All of them are strings. */
const leading: readonly string[] = ['name', 'generateName', 'namespace', 'selfLink', 'uid']

/** Returns the object with a resource version, at its canonical position. The rest is shared. */
export function withVersion(object: KubeObject, revision: number): KubeObject {
  const metadata: { resourceVersion?: string; [field: string]: unknown } = {}
  let isInserted = false
  for (const [name, value] of Object.entries(object.metadata)) {
    if (name === 'resourceVersion') continue
    if (!isInserted && !leading.includes(name)) {
      metadata.resourceVersion = `${revision}`
      isInserted = true
    }
    metadata[name] = value
  }
  if (!isInserted) metadata.resourceVersion = `${revision}`
  return { ...object, metadata: metadata as ObjectMeta }
}

/** Returns the object as it is stored. */
export function withoutVersion(object: KubeObject): KubeObject {
  if (object.metadata.resourceVersion === undefined) return object
  const { resourceVersion: _, ...metadata } = object.metadata
  return { ...object, metadata: metadata as ObjectMeta }
}

// How the fields begin in JSON.
export const metadataOpening = Buffer.from('"metadata":{')
const leadingOpenings = leading.map((name) => Buffer.from(`"${name}":"`))
const versionOpening = Buffer.from('"resourceVersion":"')
const quote = '"'.charCodeAt(0)
const comma = ','.charCodeAt(0)
const backslash = '\\'.charCodeAt(0)
const closingBrace = '}'.charCodeAt(0)

/**
 * Inserts a resource version into the JSON of an object at its canonical position, without parsing the rest. This works because stored JSON
 * is canonical: the metadata comes before anything that could look like it. Returns undefined if it is not.
 */
export function spliceVersion(json: Uint8Array, revision: number): Uint8Array | undefined {
  const source = asBuffer(json)
  const metadata = source.indexOf(metadataOpening)
  if (metadata < 0) return undefined
  const start = afterLeading(source, metadata + metadataOpening.length)
  const end = afterMember(source, start, versionOpening)
  const after = source[end]
  if (after !== quote && after !== closingBrace) return undefined
  const text = `${source[start - 1] === quote ? ',' : ''}"resourceVersion":"${revision}"${after === quote ? ',' : ''}`
  const result = Buffer.allocUnsafe(source.length - (end - start) + text.length)
  // A loop copies the few bytes before it faster than `copy`.
  for (let i = 0; i < start; i++) result[i] = source[i]!
  for (let i = 0; i < text.length; i++) result[start + i] = text.charCodeAt(i)
  source.copy(result, start + text.length, end)
  return result
}

/** The position of the resource version in metadata that begin at `at`. */
function afterLeading(source: Buffer, at: number): number {
  for (const opening of leadingOpenings) {
    const end = afterMember(source, at, opening)
    if (end > at) return afterLeading(source, end)
  }
  return at
}

/** The end of a string member, with the comma after it, if the member at `at` begins with `opening`; otherwise `at`. */
function afterMember(source: Buffer, at: number, opening: Buffer): number {
  for (let i = 0; i < opening.length; i++) if (source[at + i] !== opening[i]) return at
  const end = endOfText(source, at + opening.length - 1)
  return source[end] === comma ? end + 1 : end
}

/** The end of the JSON string whose opening quote is at `at`. */
export function endOfText(source: Buffer, at: number): number {
  let end = at + 1
  while (end < source.length && source[end] !== quote) end += source[end] === backslash ? 2 : 1
  return end + 1
}

export function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
}
