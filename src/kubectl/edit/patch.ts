import type { JsonObject } from '../../schema/declaration.js'
import { isList, isObject, objectIn, sameJson } from '../../schema/json-value.js'
import { diffMergePatch } from '../../schema/patch/merge-patch.js'
import { diffStrategicPatch } from '../../schema/patch/strategic-diff.js'
import { quote } from '../../schema/quote.js'
import { compareText } from '../../schema/text-order.js'
import { fieldValidationOf } from '../changes/change-flags.js'
import { PatchTypes } from '../changes/patch-types.js'
import { jsonText } from '../printers/json.js'
import { resultPrinter } from '../printers/result.js'
import { metadataOf, objectPath, type ResourceObject } from '../resources/resource-object.js'
import type { EditContext } from './flags.js'
import type { EditOptions } from './session.js'

interface PatchContext extends EditContext {
  readonly flags: EditContext['flags'] & { readonly 'output-patch': boolean; readonly subresource: string }
}

/** Sends only the changed fields of each object, so that changes of others are kept. */
export function submitPatches(call: PatchContext): EditOptions['submit'] {
  return async (edited, originals, failures) => {
    const types = new PatchTypes(await call.factory.rest())
    for (const info of edited) {
      const original = originalOf(info, originals)
      if (sameJson(original.object, info.object)) {
        await printEditResult(call, info.object, 'skipped')
        continue
      }
      const change = await changeOf(types, original, info)
      if (call.flags['output-patch']) await call.out(`Patch: ${jsonText(change.patch)}\n`)
      const answer = await send(call, info, change).catch((error: unknown) =>
        call.err(`${failures.add(error, info)}\n`),
      )
      if (answer) await printEditResult(call, answer, 'edited')
    }
  }
}

/** Returns the original of an edited object, by UID. */
export function originalOf({ object }: ResourceObject, originals: readonly ResourceObject[]): ResourceObject {
  const { uid } = metadataOf(object)
  const found = originals.find((original) => metadataOf(original.object).uid === uid)
  if (!found) throw new Error(`no original object found for &unstructured.Unstructured{Object:${goSyntax(object)}}`)
  return found
}

/** Prints each object as if it were the only one. */
export async function printEditResult(call: EditContext, object: JsonObject, operation: string): Promise<void> {
  const printer = await resultPrinter(call, call.flags, 'none')
  await printer.print(object, operation)
}

interface Change {
  readonly patch: JsonObject
  readonly contentType: string
}

async function changeOf(types: PatchTypes, original: ResourceObject, info: ResourceObject): Promise<Change> {
  const type = await types.typeOf(info)
  const patch = type
    ? diffStrategicPatch(type, original.object, info.object)
    : diffMergePatch(original.object, info.object)
  const isOther = ['apiVersion', 'kind'].some((key) => key in patch) || 'name' in (objectIn(patch, 'metadata') ?? {})
  if (isOther) throw new Error('At least one of apiVersion, kind and name was changed')
  return { patch, contentType: `application/${type ? 'strategic-merge' : 'merge'}-patch+json` }
}

async function send(call: PatchContext, info: ResourceObject, { patch, contentType }: Change): Promise<JsonObject> {
  const { flags, factory } = call
  const query = { fieldManager: flags['field-manager'], fieldValidation: fieldValidationOf(flags) }
  const path = objectPath(info, flags.subresource)
  return (await factory.rest()).json<JsonObject>({ method: 'PATCH', path, query, body: patch, contentType })
}

/** Formats a value in Go syntax, as upstream does in this error. */
function goSyntax(value: unknown): string {
  if (typeof value === 'string') return quote(value)
  if (isList(value)) return `[]interface {}{${value.map(goSyntax).join(', ')}}`
  if (!isObject(value)) return value === null || value === undefined ? 'interface {}(nil)' : String(value)
  const members = Object.keys(value)
    .sort(compareText)
    .map((key) => `${quote(key)}:${goSyntax(value[key])}`)
  return `map[string]interface {}{${members.join(', ')}}`
}
