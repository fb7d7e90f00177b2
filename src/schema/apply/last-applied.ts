import type { JsonObject, JsonValue } from '../declaration.js'
import { compareObjects } from './compare.js'
import type { FieldSet } from './field-set.js'
import { ItemError } from './items.js'
import { difference } from './set-algebra.js'
import { jsonText } from './text.js'
import { configurationProblems } from './validate.js'
import { isMap, ownMap, ownString, replaced, without } from './value.js'
import { configuredFields } from './value-set.js'
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
  const metadata = ownMap(object, 'metadata')
  const annotations = metadata && ownMap(metadata, 'annotations')
  return annotations ? ownString(annotations, annotation) : ''
}

/** The fields that kubectl applied last and that still have the values it gave; undefined if that cannot be told. */
export function fieldsLastApplied(live: Versioned): FieldSet | undefined {
  const configuration = readConfiguration(lastApplied(live.object))
  if (!configuration || ownString(configuration, 'apiVersion') !== live.apiVersion) return undefined
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
    return isMap(value) ? value : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined // an annotation is anybody's text
    throw error
  }
}

/** `object` with `configuration` in its annotation, if it has one; without it if that would be too much. */
export function withLastApplied(object: JsonObject, configuration: JsonObject): JsonObject {
  if (!lastApplied(object)) return object
  const metadata = ownMap(object, 'metadata')!
  const annotations = ownMap(metadata, 'annotations')!
  const updated = replaced(annotations, annotation, `${jsonText(withoutAnnotation(configuration))}\n`)
  const fitting = annotationBytes(updated) > maximumAnnotationBytes ? without(updated, annotation) : updated
  return replaced(object, 'metadata', replaced(metadata, 'annotations', fitting))
}

function withoutAnnotation(configuration: JsonObject): JsonObject {
  const metadata = ownMap(configuration, 'metadata')
  const annotations = metadata && ownMap(metadata, 'annotations')
  if (!annotations || !Object.hasOwn(annotations, annotation)) return configuration
  return replaced(configuration, 'metadata', replaced(metadata, 'annotations', without(annotations, annotation)))
}

function annotationBytes(annotations: JsonObject): number {
  let bytes = 0
  for (const name of Object.keys(annotations))
    bytes += Buffer.byteLength(name) + Buffer.byteLength(ownString(annotations, name))
  return bytes
}
