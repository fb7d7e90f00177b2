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
 * Objects that kubectl used to apply by itself carry their last configuration in an annotation. When kubectl applies such an
 * object through the server, it takes over what it owned before without a conflict, and the annotation is kept up to date, so
 * that it may go back.
 */
const annotation = 'kubectl.kubernetes.io/last-applied-configuration'

/** All annotations of an object together, names included. */
const maximumAnnotationBytes = 256 * 1024

function lastApplied(object: JsonObject): string {
  const metadata = objectIn(object, 'metadata')
  const annotations = metadata && objectIn(metadata, 'annotations')
  return annotations ? stringIn(annotations, annotation) : ''
}

/** The fields that kubectl applied last and that still have the values it gave; undefined if that cannot be told. */
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
    if (error instanceof SyntaxError) return undefined // an annotation is anybody's text
    throw error
  }
}

/** `object` with `configuration` in its annotation, if it has one; without it if that would be too much. */
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
