import type { JsonValue } from '../declaration.js'
import { maximumJsonDepth } from '../decode/json-reader.js'
import { isContainer, type JsonContainer } from '../json-value.js'
import { PatchError, type PatchFailure } from './patch-error.js'

/**
 * Rejects values that are nested too deep. All recursion in this folder is bounded by the depth of the patch, or of the two objects that
 * are compared, so it is enough to check those first.
 */
export function limitDepth(value: JsonValue | undefined, failure: PatchFailure = 'malformed'): void {
  let level = isContainer(value) ? [value] : []
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > maximumJsonDepth) throw new PatchError(failure, 'exceeded max depth')
    level = containersIn(level)
  }
}

function containersIn(level: readonly JsonContainer[]): JsonContainer[] {
  const next: JsonContainer[] = []
  for (const container of level) {
    for (const value of Object.values(container)) if (isContainer(value)) next.push(value)
  }
  return next
}
