import type { JsonObject, JsonValue } from '../declaration.js'
import { isObject, objectIn, stringIn, withMember, withoutMember } from '../json-value.js'
import { canonicalJson } from './canonical-json.js'
import type { FieldSet } from './field-set/field-set.js'
import { difference } from './field-set/set-algebra.js'
import { compareObjects } from './shape/compare.js'
import { ItemError } from './shape/items.js'
import { configurationProblems } from './shape/validation.js'
import { configuredFields } from './shape/value-fields.js'
import type { Versioned } from './versions.js'

/**
 * Migration from client-side to server-side apply. Client-side apply of kubectl stores the last configuration in an annotation. When
 * kubectl applies such an object on the server, it takes over its fields without a conflict, and the server keeps the annotation up to
 * date, so that kubectl can return to client-side apply.
 */
const annotation = 'kubectl.kubernetes.io/last-applied-configuration'

/** Limit of all annotations of an object together, including their names. */
const maximumAnnotationBytes = 256 * 1024

function lastApplied(object: JsonObject): string {
  const metadata = objectIn(object, 'metadata')
  const annotations = metadata && objectIn(metadata, 'annotations')
  return annotations ? stringIn(annotations, annotation) : ''
}

/** The fields of the last client-side apply whose values have not changed since; undefined if the annotation cannot be read. */
export function fieldsLastApplied(live: Versioned): FieldSet | undefined {
  const configuration = readConfiguration(lastApplied(live.object))
  if (!configuration || stringIn(configuration, 'apiVersion') !== live.apiVersion) return undefined
  if (configurationProblems(live.shape, configuration).length > 0) return undefined
  try {
    const { changed, removed } = compareObjects(live.shape, configuration, live.object)
    return difference(difference(configuredFields(live.shape, configuration), changed), removed)
  } catch (error) {
    if (error instanceof ItemError) return undefined
    throw error
  }
}

function readConfiguration(text: string): JsonObject | undefined {
  if (!text) return undefined
  try {
    const value: JsonValue = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined // users can write any text into an annotation
    throw error
  }
}

/** Updates the annotation if `object` has one. Removes it if it would exceed the limit. */
export function withLastAppliedAnnotation(object: JsonObject, configuration: JsonObject): JsonObject {
  if (!lastApplied(object)) return object
  const metadata = objectIn(object, 'metadata')!
  const annotations = objectIn(metadata, 'annotations')!
  const updated = withMember(annotations, annotation, `${canonicalJson(withoutAnnotation(configuration))}\n`)
  const fitting = annotationBytes(updated) > maximumAnnotationBytes ? withoutMember(updated, annotation) : updated
  return withMember(object, 'metadata', withMember(metadata, 'annotations', fitting))
}

function withoutAnnotation(configuration: JsonObject): JsonObject {
  const metadata = objectIn(configuration, 'metadata')
  const annotations = metadata && objectIn(metadata, 'annotations')
  if (!annotations || !Object.hasOwn(annotations, annotation)) return configuration
  return withMember(
    configuration,
    'metadata',
    withMember(metadata, 'annotations', withoutMember(annotations, annotation)),
  )
}

function annotationBytes(annotations: JsonObject): number {
  let bytes = 0
  for (const name of Object.keys(annotations))
    bytes += Buffer.byteLength(name) + Buffer.byteLength(stringIn(annotations, name))
  return bytes
}
