import { badRequest, invalid, requestEntityTooLarge, unknown } from '../../api/errors.js'
import { asJson, asKubeObject } from '../../api/kube-object.js'
import { serverResponse } from '../../api/server-response.js'
import { updateManagedFields } from '../../schema/apply/update.js'
import type { JsonObject, JsonValue } from '../../schema/declaration.js'
import { type DecodeResult, decodeValue } from '../../schema/decode/decoder.js'
import { DecodeError } from '../../schema/decode/inspect.js'
import { setDefaults } from '../../schema/defaults.js'
import * as field from '../../schema/field-errors.js'
import { fieldPath } from '../../schema/field-path.js'
import { goText } from '../../schema/go-text.js'
import { isObject, stringIn } from '../../schema/json-value.js'
import { decodeJsonPatch, decodeMergePatch, decodeStrategicPatch } from '../../schema/patch/documents.js'
import { applyJsonPatch } from '../../schema/patch/json-patch.js'
import { applyMergePatch } from '../../schema/patch/merge-patch.js'
import { PatchError } from '../../schema/patch/patch-error.js'
import { applyStrategicPatch } from '../../schema/patch/strategic-patch.js'
import { typeMismatch } from '../../schema/patch/type-mismatch.js'
import { parseMediaType } from '../../wire/media-type.js'
import type { ObjectResponse } from '../response/response.js'
import { apply } from './apply.js'
import { maximumBody } from './body.js'
import { type PatchDocument, parsePatch } from './patch-document.js'
import { checkName } from './update.js'
import { updateObject } from './update-object.js'
import type { VerbScope } from './verb-scope.js'
import { rejectInvalidOptions, type WriteRequestOptions, writeOptions } from './write-options.js'

type PatchType = 'json' | 'merge' | 'strategic' | 'apply'

const patchTypes: Readonly<Record<string, PatchType>> = {
  'application/json-patch+json': 'json',
  'application/merge-patch+json': 'merge',
  'application/strategic-merge-patch+json': 'strategic',
  'application/apply-patch+yaml': 'apply',
}

/** Patches the object that the path names. */
export async function patch(scope: VerbScope): Promise<ObjectResponse> {
  const { request } = scope.context
  const type = patchTypes[parseMediaType(request.headers['content-type'] ?? '').type]
  if (!type) throw serverResponse({ code: 415, method: 'PATCH', serverMessage: '415: Unsupported Media Type' })
  const options = writeOptions(request, 'PatchOptions')
  if (type === 'apply') return apply(scope, options)
  if (request.query.has('force'))
    rejectInvalidOptions('PatchOptions', [
      field.forbidden(fieldPath('force'), 'may not be specified for non-apply patch'),
    ])
  return patchWith(scope, options, await readPatch(scope, type, options))
}

interface Patch {
  /** Returns the patched object: not decoded, without defaults. */
  readonly applyTo: (live: JsonObject) => JsonValue
  /** Decodes the patched object, with warnings. */
  readonly decode: (patched: JsonValue) => DecodeResult
}

async function readPatch(scope: VerbScope, type: PatchType, options: WriteRequestOptions): Promise<Patch> {
  const body = await scope.context.request.body(maximumBody)
  const bytes = 'bytes' in body ? body.bytes : Buffer.from(JSON.stringify(body.value))
  const document = parsePatch(bytes, options.fieldValidation)
  return withPatchErrors(() => patchOf(scope, type, options, document))
}

function patchOf(
  scope: VerbScope,
  type: PatchType,
  { fieldValidation }: WriteRequestOptions,
  { value, duplicates }: PatchDocument,
): Patch {
  const { type: kind } = scope.resource
  const strict = (patched: JsonValue, shown: () => string, problems: readonly string[] = []): DecodeResult =>
    decodePatched(scope, patched, { shown, problems: [...duplicates, ...problems], fieldValidation })
  const whole = (patched: JsonValue) => JSON.stringify(patched)
  if (type === 'json') {
    const { operations, problems } = decodeJsonPatch(value, fieldValidation)
    return {
      applyTo: (live) => applyJsonPatch(live, operations),
      decode: (patched) => strict(patched, () => whole(patched), problems),
    }
  }
  if (type === 'merge') {
    const merge = decodeMergePatch(value, fieldValidation)
    return {
      applyTo: (live) => applyMergePatch(live, merge),
      decode: (patched) => strict(patched, () => whole(patched)),
    }
  }
  const strategic = decodeStrategicPatch(value)
  return {
    applyTo: (live) => applyStrategicPatch(kind, live, strategic),
    decode: (patched) => {
      const problem = typeMismatch(kind, patched)
      if (problem !== undefined) throw badPatch(goText(strategic), problem)
      return strict(patched, () => goText(strategic))
    },
  }
}

interface Decoding {
  /** The value that an error shows. */
  readonly shown: () => string
  readonly problems: readonly string[]
  readonly fieldValidation: WriteRequestOptions['fieldValidation']
}

function decodePatched(
  { resource: { type } }: VerbScope,
  patched: JsonValue,
  { shown, problems, fieldValidation }: Decoding,
): DecodeResult {
  try {
    if (!isObject(patched) || !hasType(patched, type.kind))
      throw new DecodeError('the patched object is of another kind')
    const { object, warnings } = decodeValue(type, patched, fieldValidation === 'Ignore' ? 'Ignore' : 'Warn')
    const all = [...problems, ...warnings]
    if (fieldValidation === 'Strict' && all.length > 0)
      throw new DecodeError(`strict decoding error: ${all.join(', ')}`)
    return { object, warnings: all }
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error
    throw badPatch(shown(), error.message)
  }
}

function hasType(object: JsonObject, { apiVersion, kind }: { apiVersion: string; kind: string }): boolean {
  return stringIn(object, 'apiVersion') === apiVersion && stringIn(object, 'kind') === kind
}

function badPatch(shown: string, why: string): Error {
  return invalid({ group: '', kind: '' }, '', [field.invalid(fieldPath('patch'), shown, why)])
}

async function patchWith(
  scope: VerbScope,
  options: WriteRequestOptions,
  { applyTo, decode }: Patch,
): Promise<ObjectResponse> {
  const { resource, subresource, representation, context } = scope
  const target = resource.target(subresource)
  const { object } = await updateObject(scope, {
    options,
    next: (live) => {
      const { object: draft, warnings } = decode(withPatchErrors(() => applyTo(asJson(live))))
      for (const warning of warnings) context.warnings.add(warning)
      setDefaults(resource.type, draft)
      const next = asKubeObject(draft)
      checkName(scope, next.metadata.name ?? '')
      const owned = { live: asJson(live), next: asJson(next), manager: options.manager, time: scope.timestamps.now() }
      return asKubeObject(updateManagedFields(target, owned))
    },
  })
  return { is: 'object', code: 200, type: resource.type, object, representation }
}

/** Runs a patch function, and turns its errors into API errors. */
export function withPatchErrors<T>(run: () => T): T {
  try {
    return run()
  } catch (error) {
    if (!(error instanceof PatchError)) throw error
    switch (error.failure) {
      case 'malformed':
        throw badRequest(error.message)
      case 'tooLarge':
        throw requestEntityTooLarge(error.message)
      case 'inapplicable':
        throw serverResponse({ code: 422, method: 'PATCH' })
      default:
        throw unknown(error.message)
    }
  }
}
