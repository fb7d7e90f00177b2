import type { KubeObject } from '../../api/kube-object.js'
import type { ObjectMeta } from '../../api/meta/v1/object-meta.js'

/** What stands before the resource version in canonical form. All of them are text. */
const leading: ReadonlySet<string> = new Set(['name', 'generateName', 'namespace', 'selfLink', 'uid'])

/** The object with that resource version, in its canonical place. The rest is shared. */
export function withVersion(object: KubeObject, revision: number): KubeObject {
  const metadata: { resourceVersion?: string; [field: string]: unknown } = {}
  let placed = false
  for (const [name, value] of Object.entries(object.metadata)) {
    if (name === 'resourceVersion') continue
    if (!placed && !leading.has(name)) {
      metadata.resourceVersion = `${revision}`
      placed = true
    }
    metadata[name] = value
  }
  if (!placed) metadata.resourceVersion = `${revision}`
  return { ...object, metadata: metadata as unknown as ObjectMeta }
}

/** The object as it is stored. */
export function withoutVersion(object: KubeObject): KubeObject {
  if (object.metadata.resourceVersion === undefined) return object
  const { resourceVersion: _, ...metadata } = object.metadata
  return { ...object, metadata: metadata as ObjectMeta }
}

const metadataStart = Buffer.from('"metadata":{')
const quote = 0x22
const backslash = 0x5c
const closingBrace = 0x7d
const colon = 0x3a

/**
 * JSON of an object with that resource version in its canonical place, without reading the rest of it: what is stored is in
 * canonical form, where metadata comes before anything that could look like it. Undefined where this is not so.
 */
export function spliceVersion(json: Uint8Array, revision: number): Uint8Array | undefined {
  const source = asBuffer(json)
  const place = placeOfVersion(source)
  if (!place) return undefined
  const { start, end, first, last } = place
  const text = `${first ? '' : ','}"resourceVersion":"${revision}"${last ? '' : ','}`
  const result = Buffer.allocUnsafe(source.length - (end - start) + text.length)
  source.copy(result, 0, 0, start)
  result.write(text, start, 'latin1')
  source.copy(result, start + text.length, end)
  return result
}

interface Place {
  /** From here to there stands what is replaced, commas on both sides included. */
  readonly start: number
  readonly end: number
  /** Whether nothing is before it, or after it, in the metadata. */
  readonly first: boolean
  readonly last: boolean
}

function placeOfVersion(source: Buffer): Place | undefined {
  const found = source.indexOf(metadataStart)
  if (found < 0) return undefined
  const begin = found + metadataStart.length
  if (source[begin] === closingBrace) return { start: begin, end: begin, first: true, last: true }
  for (let at = begin; ; ) {
    const member = memberAt(source, at)
    if (!member) return undefined
    const { name, end, last } = member
    if (name === 'resourceVersion') return { ...before(at, begin), end: last ? end : end + 1, last }
    if (!leading.has(name)) return { ...before(at, begin), end: at, last: false }
    if (last) return { start: end, end, first: false, last }
    at = end + 1
  }
}

interface Member {
  readonly name: string
  /** Just after its value. Only for values that are text. */
  readonly end: number
  readonly last: boolean
}

function memberAt(source: Buffer, at: number): Member | undefined {
  if (source[at] !== quote) return undefined
  const nameEnd = source.indexOf(quote, at + 1)
  const name = source.toString('latin1', at + 1, nameEnd)
  const end = source[nameEnd + 1] === colon ? endOfText(source, nameEnd + 2) : -1
  const isText = end >= 0
  if (!isText && (leading.has(name) || name === 'resourceVersion')) return undefined
  return { name, end, last: isText && source[end] === closingBrace }
}

/** The comma before belongs to what is replaced. */
function before(at: number, begin: number): { readonly start: number; readonly first: boolean } {
  return at === begin ? { start: at, first: true } : { start: at - 1, first: false }
}

/** Where the text that begins at `start` is over; -1 if there is none. */
function endOfText(source: Buffer, start: number): number {
  if (source[start] !== quote) return -1
  let end = source.indexOf(quote, start + 1)
  while (end >= 0 && isEscaped(source, end)) end = source.indexOf(quote, end + 1)
  return end < 0 ? -1 : end + 1
}

function isEscaped(source: Buffer, at: number): boolean {
  let backslashes = 0
  while (source[at - 1 - backslashes] === backslash) backslashes++
  return backslashes % 2 === 1
}

export function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
}
