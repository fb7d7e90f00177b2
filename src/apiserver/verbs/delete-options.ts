import { badRequest, conflict } from '../../api/errors.js'
import type { KubeObject } from '../../api/kube-object.js'
import type { DeleteOptions } from '../../api/meta/v1/delete-options.js'
import { MalformedMessageError } from '../../base/protobuf/reader.js'
import { type DecodeResult, decodeJson, decodeValue } from '../../schema/decode/decoder.js'
import { DecodeError } from '../../schema/decode/inspect.js'
import { JsonSyntaxError } from '../../schema/decode/json-reader.js'
import * as field from '../../schema/field-errors.js'
import { fieldPath } from '../../schema/field-path.js'
import type { ObjectType } from '../../schema/model.js'
import { decodeProtobuf } from '../../schema/protobuf/decode.js'
import { quote } from '../../schema/quote.js'
import type { ServedKind } from '../../schema/scheme.js'
import { parseMediaType } from '../../wire/media-type.js'
import { openEnvelope, protobufType } from '../../wire/protobuf.js'
import type { ApiRequest, Body } from '../request/request-context.js'
import { isTrue } from '../request/request-info.js'
import { reportDecoded } from '../request/request-listeners.js'
import { maximumBody } from './body.js'
import type { VerbScope } from './verb-scope.js'
import { dryRunErrors, rejectInvalidOptions } from './write-options.js'

/** Reads the options of a deletion: from the body if there is one, otherwise from the query. */
export async function deleteOptions(scope: VerbScope): Promise<DeleteOptions> {
  const { request } = scope.context
  const body = await request.body(maximumBody)
  const given = 'value' in body ? body.value !== undefined : body.bytes.length > 0
  const options = given ? fromBody(scope, body, request) : fromQuery(request)
  rejectInvalidOptions('DeleteOptions', optionErrors(options))
  return options
}

function fromBody({ scheme, resource, context }: VerbScope, body: Body, request: ApiRequest): DeleteOptions {
  const type = scheme.type('meta/v1.DeleteOptions')
  const { object } = withBadRequest(() => {
    if ('value' in body) return decodeValue(type, body.value, 'Ignore')
    return isProtobuf(request) ? fromMessage(type, body.bytes) : decodeJson(type, body.bytes, 'Ignore')
  })
  const { kind, apiVersion } = object as { kind?: string; apiVersion?: string }
  const versions = ['v1', 'meta.k8s.io/v1', resource.type.kind.apiVersion]
  if ((kind && kind !== 'DeleteOptions') || (apiVersion && !versions.includes(apiVersion)))
    throw badRequest(
      `no kind ${quote(kind || 'DeleteOptions')} is registered for version ${quote(apiVersion ?? '')} in scheme ${quote('k8s.io/apimachinery/pkg/apis/meta/internalversion/scheme/register.go:27')}`,
    )
  reportDecoded(context, object)
  return object as unknown as DeleteOptions
}

function isProtobuf({ headers }: ApiRequest): boolean {
  return parseMediaType(headers['content-type'] ?? '').type === protobufType
}

function fromMessage(type: ObjectType, bytes: Uint8Array): DecodeResult {
  const { message, ...typeMeta } = openEnvelope(bytes)
  return decodeValue(type, { ...typeMeta, ...decodeProtobuf(type, message) }, 'Ignore')
}

const malformed = [DecodeError, JsonSyntaxError, MalformedMessageError]

function withBadRequest<T>(run: () => T): T {
  try {
    return run()
  } catch (error) {
    if (malformed.some((kind) => error instanceof kind)) throw badRequest((error as Error).message)
    throw error
  }
}

function fromQuery({ query }: ApiRequest): DeleteOptions {
  if (query.size === 0) return {} as DeleteOptions
  const seconds = query.get('gracePeriodSeconds')
  const policy = query.get('propagationPolicy')
  const orphan = query.get('orphanDependents')
  const dryRun = query.getAll('dryRun')
  return {
    ...(seconds !== null && { gracePeriodSeconds: integer(seconds) }),
    ...(policy !== null && { propagationPolicy: policy }),
    ...(orphan !== null && { orphanDependents: isTrue(orphan) }),
    ...(dryRun.length > 0 && { dryRun }),
    ...(query.has('ignoreStoreReadErrorWithClusterBreakingPotential') && {
      ignoreStoreReadErrorWithClusterBreakingPotential: isTrue(
        query.get('ignoreStoreReadErrorWithClusterBreakingPotential'),
      ),
    }),
  } as DeleteOptions
}

function integer(text: string): number {
  if (!/^[+-]?[0-9]+$/.test(text)) throw badRequest(`strconv.ParseInt: parsing ${quote(text)}: invalid syntax`)
  return Number(text)
}

const policies = ['Foreground', 'Background', 'Orphan']

function optionErrors({
  propagationPolicy,
  orphanDependents,
  dryRun = [],
}: DeleteOptions): readonly field.FieldError[] {
  const path = fieldPath('propagationPolicy')
  const errors: field.FieldError[] = []
  if (propagationPolicy !== undefined && orphanDependents !== undefined)
    errors.push(field.invalid(path, propagationPolicy, 'orphanDependents and deletionPropagation cannot be both set'))
  if (propagationPolicy !== undefined && !policies.includes(propagationPolicy))
    errors.push(field.notSupported(path, propagationPolicy, [...policies, 'nil']))
  return [...errors, ...dryRunErrors(dryRun)]
}

/** Rejects a deletion whose preconditions the object does not meet. */
export function checkPreconditions(type: ServedKind, { metadata }: KubeObject, { preconditions }: DeleteOptions): void {
  if (!preconditions) return
  const { group, kind } = type.kind
  const { name = '', uid = '', resourceVersion = '' } = metadata
  if (preconditions.uid !== undefined && preconditions.uid !== uid)
    throw conflict(
      { group, kind },
      name,
      `the UID in the precondition (${preconditions.uid}) does not match the UID in record (${uid}). The object might have been deleted and then recreated`,
    )
  if (preconditions.resourceVersion !== undefined && preconditions.resourceVersion !== resourceVersion)
    throw conflict(
      { group, kind },
      name,
      `the ResourceVersion in the precondition (${preconditions.resourceVersion}) does not match the ResourceVersion in record (${resourceVersion}). The object might have been modified`,
    )
}
