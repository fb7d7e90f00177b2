import type { JsonObject } from '../../schema/declaration.js'

/** Several objects are one list, whatever they are. */
export function listOf(items: readonly JsonObject[], metadata: JsonObject = { resourceVersion: '' }): JsonObject {
  return { apiVersion: 'v1', kind: 'List', metadata, items: [...items] }
}
