import { asBuffer, endOfText, metadataOpening } from './resource-version.js'

export type Labels = Readonly<Record<string, string>>

export const noLabels: Labels = Object.freeze({})

/** What stands before the labels in canonical form, all of it text or a number, and what stands after them. */
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

/**
 * The labels in the JSON of an object, of which nothing else is parsed: what is stored is in canonical form, where metadata come before
 * anything that could look like them. Undefined where this is not so.
 */
export function storedLabels(json: Uint8Array): Labels | undefined {
  const source = asBuffer(json)
  const metadata = source.indexOf(metadataOpening)
  if (metadata < 0) return undefined
  let at = metadata + metadataOpening.length
  while (source[at] === quote) {
    const end = endOfText(source, at)
    const name = source.toString('latin1', at + 1, end - 1)
    if (source[end] !== colon) return undefined
    if (name === 'labels') return labelsAt(source, end + 1)
    if (!leading.has(name)) return trailing.has(name) ? noLabels : undefined
    at = endOfScalar(source, end + 1)
    if (source[at] === comma) at++
  }
  return source[at] === closeBrace ? noLabels : undefined
}

/** Many objects have the same, as those do that were made from one template: they share them. */
let recent = new Map<string, Labels>()
const mostRecent = 1024

function labelsAt(source: Buffer, start: number): Labels | undefined {
  if (source[start] !== openBrace) return undefined
  let end = start + 1
  while (end < source.length && source[end] !== closeBrace)
    end = source[end] === quote ? endOfText(source, end) : end + 1
  const text = source.toString('utf8', start, end + 1)
  const known = recent.get(text)
  if (known) return known
  const labels = Object.freeze(JSON.parse(text)) as Labels
  if (recent.size >= mostRecent) recent = new Map()
  recent.set(text, labels)
  return labels
}

/** Where a text or a number has ended. */
function endOfScalar(source: Buffer, at: number): number {
  if (source[at] === quote) return endOfText(source, at)
  let end = at
  while (end < source.length && source[end] !== comma && source[end] !== closeBrace) end++
  return end
}
