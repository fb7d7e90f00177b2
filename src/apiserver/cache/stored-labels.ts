import { asBuffer, endOfText, metadataOpening } from './resource-version.js'

export type Labels = Readonly<Record<string, string>>

export const noLabels: Labels = Object.freeze({})

/** The fields before the labels in canonical form, all strings or numbers, and the fields after them. */
const leading = new Set([
  ...['name', 'generateName', 'namespace', 'selfLink', 'uid', 'resourceVersion', 'generation'],
  ...['creationTimestamp', 'deletionTimestamp', 'deletionGracePeriodSeconds'],
])
const trailing = new Set(['annotations', 'ownerReferences', 'finalizers', 'initializers', 'managedFields'])

const quote = '"'.charCodeAt(0)
const comma = ','.charCodeAt(0)
const colon = ':'.charCodeAt(0)
const openBrace = '{'.charCodeAt(0)
const closeBrace = '}'.charCodeAt(0)

/** Reads labels from the stored JSON of objects. One reader for all objects of a store. */
export class StoredLabelReader {
  /** Labels by their JSON: objects that come from one template have equal labels, and share them. */
  #recent = new Map<string, Labels>()

  /**
   * Returns the labels in the JSON of an object without parsing the rest. This works because stored JSON is canonical: the metadata comes
   * before anything that could look like it. Returns undefined if it is not.
   */
  read(json: Uint8Array): Labels | undefined {
    const source = asBuffer(json)
    const metadata = source.indexOf(metadataOpening)
    if (metadata < 0) return undefined
    let at = metadata + metadataOpening.length
    while (source[at] === quote) {
      const end = endOfText(source, at)
      const name = source.toString('latin1', at + 1, end - 1)
      if (source[end] !== colon) return undefined
      if (name === 'labels') return this.#labelsAt(source, end + 1)
      if (!leading.has(name)) return trailing.has(name) ? noLabels : undefined
      at = endOfScalar(source, end + 1)
      if (source[at] === comma) at++
    }
    return source[at] === closeBrace ? noLabels : undefined
  }

  #labelsAt(source: Buffer, start: number): Labels | undefined {
    if (source[start] !== openBrace) return undefined
    let end = start + 1
    while (end < source.length && source[end] !== closeBrace)
      end = source[end] === quote ? endOfText(source, end) : end + 1
    const text = source.toString('utf8', start, end + 1)
    const known = this.#recent.get(text)
    if (known) return known
    const labels = Object.freeze(JSON.parse(text)) as Labels
    if (this.#recent.size >= mostRecent) this.#recent = new Map() // a cleared map would retain its contents (docs/decisions/014)
    this.#recent.set(text, labels)
    return labels
  }
}

const mostRecent = 1024

/** The end of a string or number. */
function endOfScalar(source: Buffer, at: number): number {
  if (source[at] === quote) return endOfText(source, at)
  let end = at
  while (end < source.length && source[end] !== comma && source[end] !== closeBrace) end++
  return end
}
