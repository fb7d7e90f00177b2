import type { KubeObject } from '../../api/kube-object.js'
import { asJson } from '../../api/kube-object.js'
import type { JsonObject } from '../../schema/declaration.js'
import type { ObjectType } from '../../schema/model.js'
import { cellsOf, columnsOf, rowConditionsOf } from '../../schema/table.js'
import type { EncodedObject, Representation } from './response.js'

/** Options of a table, as `kubectl get` prints it. */
export interface TableOptions {
  readonly type: ObjectType
  readonly objects: readonly EncodedObject[]
  /** The metadata of the list, or of the single object. */
  readonly metadata: JsonObject
  readonly representation: Representation
  readonly now: number
  /** Whether the columns are omitted, as in later tables of a watch. */
  readonly withoutColumns?: boolean
}

export function tableOf({ type, objects, metadata, representation, now, withoutColumns }: TableOptions): JsonObject {
  return {
    kind: 'Table',
    apiVersion: `meta.k8s.io/${representation.version}`,
    metadata,
    columnDefinitions: withoutColumns ? null : columnDefinitions(type),
    rows: objects.map((object) => row(type, object, representation, now)),
  }
}

/** Builds a row from the stored object, whatever version the client requested. */
function row(served: ObjectType, encoded: EncodedObject, representation: Representation, now: number): JsonObject {
  const { type, object } = encoded.origin ?? { type: served, object: encoded.object }
  const conditions = rowConditionsOf(type, asJson(object))
  return {
    cells: cellsOf(type, asJson(object), now),
    ...(conditions.length > 0 && { conditions }),
    object: representation.includeObject === 'Object' ? asJson(encoded.object) : rowObject(object, representation),
  }
}

function columnDefinitions(type: ObjectType): readonly JsonObject[] {
  return columnsOf(type).map(({ name, type: cell, format, description, priority }) => ({
    name,
    type: cell,
    format,
    description,
    priority,
  }))
}

function rowObject(object: KubeObject, { includeObject, version }: Representation): JsonObject | null {
  return includeObject === 'None' ? null : partialMetadata(object, version)
}

/** Returns the object reduced to its metadata. */
export function partialMetadata({ metadata }: KubeObject, version: Representation['version']): JsonObject {
  return { kind: 'PartialObjectMetadata', apiVersion: `meta.k8s.io/${version}`, metadata: asJson(metadata) }
}
