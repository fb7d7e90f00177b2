import type { KubeObject } from '../../api/kube-object.js'
import type { ObjectMeta } from '../../api/meta/v1/object-meta.js'

/** What stands before the resource version in canonical form. All of them are text. */
const leading: readonly string[] = ['name', 'generateName', 'namespace', 'selfLink', 'uid']

/** The object with that resource version, in its canonical place. The rest is shared. */
export function withVersion(object: KubeObject, revision: number): KubeObject {
  const metadata: { resourceVersion?: string; [field: string]: unknown } = {}
  let placed = false
  for (const [name, value] of Object.entries(object.metadata)) {
    if (name === 'resourceVersion') continue
    if (!placed && !leading.includes(name)) {
      metadata.resourceVersion = `${revision}`
      placed = true
    }
    metadata[name] = value
  }
  if (!placed) metadata.resourceVersion = `${revision}`
  return { ...object, metadata: metadata as ObjectMeta }
}

/** The object as it is stored. */
export function withoutVersion(object: KubeObject): KubeObject {
  if (object.metadata.resourceVersion === undefined) return object
  const { resourceVersion: _, ...metadata } = object.metadata
  return { ...object, metadata: metadata as ObjectMeta }
}

// How they begin in JSON.
export const metadataOpening = Buffer.from('"metadata":{')
const leadingOpenings = leading.map((name) => Buffer.from(`"${name}":"`))
const versionOpening = Buffer.from('"resourceVersion":"')
const quote = '"'.charCodeAt(0)
const comma = ','.charCodeAt(0)
const backslash = '\\'.charCodeAt(0)
const closingBrace = '}'.charCodeAt(0)

/**
 * JSON of an object with that resource version in its canonical place, without reading the rest of it: what is stored is in
 * canonical form, where metadata comes before anything that could look like it. Undefined where this is not so.
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
  // The few bytes before it are copied one by one, which takes less time than to have it done.
  for (let i = 0; i < start; i++) result[i] = source[i]!
  for (let i = 0; i < text.length; i++) result[start + i] = text.charCodeAt(i)
  source.copy(result, start + text.length, end)
  return result
}

/** Where the resource version belongs in metadata that begin at `at`. */
function afterLeading(source: Buffer, at: number): number {
  for (const opening of leadingOpenings) {
    const end = afterMember(source, at, opening)
    if (end > at) return afterLeading(source, end)
  }
  return at
}

/** The end of a member that is text, and of the comma after it, if it is the one that begins like this; `at` if it is another. */
function afterMember(source: Buffer, at: number, opening: Buffer): number {
  for (let i = 0; i < opening.length; i++) if (source[at + i] !== opening[i]) return at
  const end = endOfText(source, at + opening.length - 1)
  return source[end] === comma ? end + 1 : end
}

/** Where a text that begins at `at`, with a quote, has ended. */
export function endOfText(source: Buffer, at: number): number {
  let end = at + 1
  while (end < source.length && source[end] !== quote) end += source[end] === backslash ? 2 : 1
  return end + 1
}

export function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
}
