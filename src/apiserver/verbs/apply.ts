import { applyConflict, badRequest, conflict, unknown } from '../../api/errors.js'
import { asJson, type KubeObject } from '../../api/kube-object.js'
import { type ApplyRequest, applyConfiguration } from '../../schema/apply/apply.js'
import { ApplyConfigurationError, ApplyConflictError, ApplyRequestError } from '../../schema/apply/errors.js'
import { ManagedFieldsError } from '../../schema/apply/managed-fields/entries.js'
import type { JsonObject } from '../../schema/declaration.js'
import { decodeValue } from '../../schema/decode/decoder.js'
import { setDefaults } from '../../schema/defaults.js'
import * as field from '../../schema/field-errors.js'
import { fieldPath } from '../../schema/field-path.js'
import type { Draft } from '../../schema/infer.js'
import { isObject } from '../../schema/json-value.js'
import { parseYaml, YamlSyntaxError } from '../../wire/yaml.js'
import { isTrue } from '../request/request-info.js'
import type { ObjectResponse } from '../response/response.js'
import { maximumBody } from './body.js'
import { setNamespace } from './create.js'
import { storeNewObject } from './create-object.js'
import { createdCode } from './initialization.js'
import { checkName } from './update.js'
import { updateObject } from './update-object.js'
import type { VerbScope } from './verb-scope.js'
import { rejectInvalidOptions, type WriteRequestOptions } from './write-options.js'

/** Server-side apply: merges the configuration into the object, or creates the object if it does not exist. */
export async function apply(scope: VerbScope, options: WriteRequestOptions): Promise<ObjectResponse> {
  const { context, resource, representation, subresource } = scope
  const { query } = context.request
  if (!query.get('fieldManager'))
    rejectInvalidOptions('PatchOptions', [field.required(fieldPath('fieldManager'), 'is required for apply patch')])
  const configuration = await readConfiguration(scope, options)
  const { manager } = options
  const apply: ApplyRequest = {
    configuration,
    manager,
    force: isTrue(query.get('force')),
    time: scope.timestamps.now(),
  }
  const { object, created } = await updateObject(scope, {
    options,
    next: (live) => {
      const object = appliedObject(scope, { ...apply, live: asJson(live) })
      checkName(scope, object.metadata.name ?? '')
      return object
    },
    create: subresource === '' ? async () => storeNewObject(scope, newAppliedObject(scope, apply), options) : undefined,
  })
  return { is: 'object', code: created ? createdCode(scope, object) : 200, type: resource.type, object, representation }
}

async function readConfiguration(
  { context }: VerbScope,
  { fieldValidation }: WriteRequestOptions,
): Promise<JsonObject> {
  const body = await context.request.body(maximumBody)
  if ('value' in body) return asJson(body.value as object)
  const { value, duplicates } = await parseYamlBody(body.bytes)
  if (duplicates.length > 0 && fieldValidation === 'Strict')
    throw badRequest(
      `error strict decoding YAML: error converting YAML to JSON: yaml: unmarshal errors:\n  ${duplicates.join('\n  ')}`,
    )
  if (duplicates.length > 0 && fieldValidation === 'Warn')
    context.warnings.add(`yaml: unmarshal errors:\n  ${duplicates.join('\n  ')}`)
  if (!isObject(value))
    throw badRequest('error decoding YAML: json: cannot unmarshal into Go value of type map[string]interface {}')
  return value
}

/** Most clients send JSON, which is also YAML. */
async function parseYamlBody(bytes: Uint8Array): Promise<{ value: unknown; duplicates: readonly string[] }> {
  const text = Buffer.from(bytes).toString('utf8')
  try {
    return await parseYaml(text)
  } catch (error) {
    if (!(error instanceof YamlSyntaxError)) throw error
    throw badRequest(`error decoding YAML: error converting YAML to JSON: ${error.message}`)
  }
}

/** Requires a name, even if one could be generated: a client that may write one object must not create another. */
function newAppliedObject(scope: VerbScope, apply: ApplyRequest): KubeObject {
  const object = appliedObject(scope, apply)
  const { resourceVersion, ...metadata } = object.metadata
  if (metadata.uid) throw deletedObject(scope, metadata.uid)
  const draft = { ...object, metadata } as Draft<KubeObject>
  setNamespace(scope, draft)
  checkName(scope, metadata.name ?? '')
  return draft
}

/** A request for a certain uid must not create the object again. */
function deletedObject({ resource, name }: VerbScope, uid: string): Error {
  const why = `uid mismatch: the provided object specified uid ${uid}, and no existing object was found`
  return conflict(resource.groupResource, name, why)
}

/** Returns the object after the apply, decoded and with defaults. */
function appliedObject(scope: VerbScope, apply: ApplyRequest): KubeObject {
  const { resource, subresource } = scope
  const result = withApiErrors(() => applyConfiguration(resource.target(subresource), apply))
  const { object } = decodeValue(resource.type, result, 'Ignore')
  setDefaults(resource.type, object)
  const { kind, apiVersion } = resource.type.kind
  return { ...object, kind, apiVersion } as KubeObject
}

function withApiErrors<T>(run: () => T): T {
  try {
    return run()
  } catch (error) {
    if (error instanceof ApplyConflictError) throw applyConflict(error.message, error.causes)
    if (error instanceof ApplyRequestError) throw badRequest(error.message)
    if (error instanceof ApplyConfigurationError || error instanceof ManagedFieldsError) throw unknown(error.message)
    throw error
  }
}
