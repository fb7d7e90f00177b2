import type { JsonObject } from '../../schema/declaration.js'
import { goText } from '../../schema/go-text.js'
import { isContainer, isList, isObject, type JsonContainer } from '../../schema/json-value.js'
import { metadataOf } from '../resources/resource-object.js'
import type { Describe } from './context.js'
import { type EventSubject, eventsOf } from './events.js'
import { labelsAndAnnotations } from './metadata.js'
import type { DescriptionPage } from './page.js'
import { sortedKeys } from './text.js'

/** Fields that are shown at the top, or not useful to people. */
const skipped = ['managedFields', 'name', 'namespace', 'labels', 'annotations'].map((name) => `.metadata.${name}`)

/** Describes any object by its nested fields. */
export const describeGeneric: Describe<JsonObject> = async (object, on) => {
  const { page } = on
  const metadata = metadataOf(object)
  page.field('Name', metadata.name ?? '')
  page.field('Namespace', metadata.namespace ?? '')
  labelsAndAnnotations(page, metadata)
  writeFields(page, object, { level: 0, path: '' })
  await eventsOf(object as unknown as EventSubject, on)
}

interface Place {
  readonly level: number
  readonly path: string
}

function writeFields(page: DescriptionPage, object: JsonObject, { level, path }: Place): void {
  for (const name of sortedKeys(object)) {
    const value = object[name]!
    const here = `${path}.${name}`
    if (skipped.includes(here)) continue
    if (isContainer(value)) {
      page.line(level, `${labelOf(name)}:`)
      writeInside(page, value, { level: level + 1, path: here })
    } else page.field(labelOf(name), goText(value), level)
  }
}

function writeInside(page: DescriptionPage, value: JsonContainer, place: Place): void {
  for (const item of isList(value) ? value : [value])
    if (isObject(item)) writeFields(page, item, place)
    else page.line(place.level, goText(item))
}

const acronyms = ['API', 'URL', 'UID', 'OSB', 'GUID']

/** `Cluster IP` for `clusterIP`. A name with characters other than letters stays as it is. */
function labelOf(name: string): string {
  if (/[^\p{L}-]/u.test(name)) return name
  return wordsOf(name)
    .map((word) => (acronyms.includes(word.toUpperCase()) ? word.toUpperCase() : capitalised(word)))
    .join(' ')
}

function capitalised(word: string): string {
  return word.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase())
}

/** Splits camel case. In a run of capitals the last one belongs to the next word. */
function wordsOf(name: string): readonly string[] {
  return name.match(/\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|[^\p{Lu}\p{Ll}]+/gu) ?? []
}
