import { ApiError, internalError } from '../../../api/errors.js'
import { asJson } from '../../../api/kube-object.js'
import type { JsonObject, JsonValue } from '../../../schema/declaration.js'
import { decodeValue } from '../../../schema/decode/decoder.js'
import { DecodeError } from '../../../schema/decode/inspect.js'
import { setDefaults } from '../../../schema/defaults.js'
import { isObject, sameJson, stringIn } from '../../../schema/json-value.js'
import type { ObjectType } from '../../../schema/model.js'
import { decodeJsonPatch } from '../../../schema/patch/documents.js'
import { applyJsonPatch, type JsonPatchOperation } from '../../../schema/patch/json-patch.js'
import { PatchError } from '../../../schema/patch/patch-error.js'
import { quote } from '../../../schema/quote.js'
import { parsePatch } from '../../verbs/patch-document.js'
import { CallFailure } from './failures.js'

export interface Patched {
  readonly object: JsonObject
  readonly operations: readonly JsonPatchOperation[]
  readonly isChanged: boolean
}

export interface PatchParts {
  readonly webhook: string
  readonly patch: Buffer
  readonly patchType: string
  /** Undefined where the request has no object, or none that can be changed. */
  readonly object: JsonObject | undefined
  readonly type: ObjectType | undefined
}

/** What a webhook's patch makes of an object, decoded and with defaults; undefined if it is empty. */
export function patched({ webhook, patch, patchType, object, type }: PatchParts): Patched | undefined {
  if (patch.length === 0) return undefined
  const operations = operationsIn(patch, webhook)
  if (operations.length === 0) return undefined
  if (!object || !type)
    throw internalError(
      `admission webhook ${quote(webhook)} attempted to modify the object, which is not supported for this operation`,
    )
  if (patchType !== 'JSONPatch') throw new CallFailure(webhook, `unsupported patch type ${quote(patchType)}`, 400)
  const decoded = internally(() => decodedAs(type, object, applyJsonPatch(object, operations) as JsonValue))
  const isChanged = !sameJson(object, decoded)
  setDefaults(type, decoded)
  return { object: decoded, operations, isChanged }
}

function operationsIn(patch: Buffer, webhook: string): readonly JsonPatchOperation[] {
  try {
    return decodeJsonPatch(parsePatch(patch, 'Ignore').value, 'Ignore').operations
  } catch (error) {
    if (!(error instanceof PatchError) && !(error instanceof ApiError)) throw error
    const why = error.message.replace(/^error decoding patch: /, '')
    throw new CallFailure(webhook, `received undecodable patch in webhook response: ${why}`, 503)
  }
}

function decodedAs(type: ObjectType, before: JsonObject, after: JsonValue): JsonObject {
  const kind = stringIn(before, 'kind')
  const apiVersion = stringIn(before, 'apiVersion')
  if (isObject(after) && (stringIn(after, 'kind') !== kind || stringIn(after, 'apiVersion') !== apiVersion))
    throw new DecodeError(`the patched object is no ${kind} of ${apiVersion} any more`)
  return asJson(decodeValue(type, after, 'Ignore').object)
}

/** A patch that does not fit, or spoils the object, is nobody's fault whom the client knows. */
function internally<T>(run: () => T): T {
  try {
    return run()
  } catch (error) {
    if (error instanceof PatchError || error instanceof DecodeError) throw internalError(error.message)
    throw error
  }
}
