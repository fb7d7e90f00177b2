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
import { WebhookCallError } from './failures.js'

export interface PatchResult {
  readonly object: JsonObject
  readonly operations: readonly JsonPatchOperation[]
  readonly isChanged: boolean
}

export interface PatchInput {
  readonly webhook: string
  readonly patch: Buffer
  readonly patchType: string
  /** Undefined if the request has no object, or one that cannot be changed. */
  readonly object: JsonObject | undefined
  readonly type: ObjectType | undefined
}

/** Applies the patch of a webhook, decodes the result and sets its defaults; returns undefined if the patch is empty. */
export function applyPatch({ webhook, patch, patchType, object, type }: PatchInput): PatchResult | undefined {
  if (patch.length === 0) return undefined
  const operations = operationsIn(patch, webhook)
  if (operations.length === 0) return undefined
  if (!object || !type)
    throw internalError(
      `admission webhook ${quote(webhook)} attempted to modify the object, which is not supported for this operation`,
    )
  if (patchType !== 'JSONPatch') throw new WebhookCallError(webhook, `unsupported patch type ${quote(patchType)}`, 400)
  const decoded = withInternalErrors(() => decodedAs(type, object, applyJsonPatch(object, operations) as JsonValue))
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
    throw new WebhookCallError(webhook, `received undecodable patch in webhook response: ${why}`, 503)
  }
}

function decodedAs(type: ObjectType, before: JsonObject, after: JsonValue): JsonObject {
  const kind = stringIn(before, 'kind')
  const apiVersion = stringIn(before, 'apiVersion')
  if (isObject(after) && (stringIn(after, 'kind') !== kind || stringIn(after, 'apiVersion') !== apiVersion))
    throw new DecodeError(`the patched object is no ${kind} of ${apiVersion} any more`)
  return asJson(decodeValue(type, after, 'Ignore').object)
}

/** Turns errors of the patch into internal errors: they are not errors of the client. */
function withInternalErrors<T>(run: () => T): T {
  try {
    return run()
  } catch (error) {
    if (error instanceof PatchError || error instanceof DecodeError) throw internalError(error.message)
    throw error
  }
}
