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

/** Metadata up to where the resource version belongs; and the resource version, if there is one. */
const untilVersion = /"metadata":\{(?:"(?:name|generateName|namespace|selfLink|uid)":"(?:[^"\\]|\\.)*",?)*/
const version = /"resourceVersion":"[^"]*",?/y
/** The resource version stands well before this, whatever names are chosen. */
const headBytes = 2048

/**
 * JSON of an object with that resource version in its canonical place, without reading the rest of it: what is stored is in
 * canonical form, where metadata comes before anything that could look like it. Undefined where this is not so.
 */
export function spliceVersion(json: Uint8Array, revision: number): Uint8Array | undefined {
  const source = asBuffer(json)
  // Byte by byte: what matters here is ASCII, and places in the text are those in the JSON.
  const head = source.toString('latin1', 0, headBytes)
  const found = untilVersion.exec(head)
  if (!found) return undefined
  const start = found.index + found[0].length
  version.lastIndex = start
  const end = start + (version.exec(head)?.[0].length ?? 0)
  const [before, after] = [head[start - 1], head[end]]
  if (after !== '"' && after !== '}') return undefined
  const text = `${before === '"' ? ',' : ''}"resourceVersion":"${revision}"${after === '"' ? ',' : ''}`
  const result = Buffer.allocUnsafe(source.length - (end - start) + text.length)
  source.copy(result, 0, 0, start)
  result.write(text, start, 'latin1')
  source.copy(result, start + text.length, end)
  return result
}

export function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
}
