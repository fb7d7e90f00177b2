import { badRequest, unsupportedMediaType } from '../../api/errors.js'
import { MalformedMessageError } from '../../base/protobuf/reader.js'
import { type DecodeResult, decodeJson, decodeValue, type FieldValidation } from '../../schema/decode/decoder.js'
import { DecodeError } from '../../schema/decode/inspect.js'
import { ExactObject, JsonSyntaxError, readJson } from '../../schema/decode/json-reader.js'
import { jsonTextOfBytes } from '../../schema/json-text.js'
import type { ObjectType } from '../../schema/model.js'
import { decodeProtobuf } from '../../schema/protobuf/decode.js'
import { hasProtobuf } from '../../schema/protobuf/layout.js'
import { quote } from '../../schema/quote.js'
import type { Scheme } from '../../schema/scheme.js'
import { parseMediaType } from '../../wire/media-type.js'
import { openEnvelope, protobufType } from '../../wire/protobuf.js'
import { parseYaml, YamlSyntaxError } from '../../wire/yaml.js'
import type { ApiRequest } from '../request/request-context.js'

/** Upper bound of a request body in bytes. */
export const maximumBody = 3 * 1024 * 1024

const readable = ['application/json', 'application/yaml', protobufType]

export interface BodyOptions {
  readonly scheme: Scheme
  /** The type that the body must have. */
  readonly type: ObjectType
  readonly validation: FieldValidation
}

/** Reads the body of a request as an object of a kind, in canonical form and without defaults. Nothing else refers to the object. */
export async function readObject(request: ApiRequest, options: BodyOptions): Promise<DecodeResult> {
  const media = mediaTypeOf(request, options.type)
  const body = await request.body(maximumBody)
  if ('value' in body)
    return withType(
      decodeWith(options, '', () => decodeValue(options.type, body.value, options.validation)),
      options,
    )
  return decodeObject(media, body.bytes, options)
}

function mediaTypeOf({ headers }: ApiRequest, objects: ObjectType): string {
  const { 'content-type': given = '' } = headers
  if (given === '' || given === 'application/json') return 'application/json'
  const { type } = parseMediaType(given)
  const accepted = hasProtobuf(objects) ? readable : readable.filter((media) => media !== protobufType)
  if (!accepted.includes(type)) throw unsupportedMediaType(accepted)
  return type
}

/** Decodes bytes of a media type as an object of a kind. */
function decodeObject(media: string, bytes: Uint8Array, options: BodyOptions): DecodeResult | Promise<DecodeResult> {
  if (media === 'application/yaml') return decodeYaml(bytes, options)
  if (media === protobufType) return decodeMessage(bytes, options)
  const { type, validation } = options
  const result = decodeWith(options, bytes, () => decodeJson(type, bytes, validation))
  return withType(result, options)
}

/** Runs a decoder. If it fails, a wrong kind or version in the body is reported first, because it may be the cause. */
function decodeWith({ type, scheme }: BodyOptions, bytes: Uint8Array | string, run: () => DecodeResult): DecodeResult {
  try {
    return run()
  } catch (error) {
    if (!(error instanceof DecodeError) && !(error instanceof JsonSyntaxError)) throw error
    const given = typeof bytes === 'string' ? {} : typeInBody(bytes, type)
    checkType(given, type, scheme)
    throw badRequest(`${kindText(given, type)} cannot be handled as a ${type.kind!.kind}: ${error.message}`)
  }
}

interface TypeGiven {
  readonly apiVersion?: string
  readonly kind?: string
}

/** Adds the kind and version if the client left them out, and rejects other ones. */
function withType(result: DecodeResult, { type, scheme }: BodyOptions): DecodeResult {
  const { apiVersion, kind } = type.kind!
  const given = result.object as TypeGiven
  if (given.apiVersion === apiVersion && given.kind === kind) return result
  checkType(given, type, scheme)
  const { apiVersion: _version, kind: _kind, ...rest } = result.object
  return { ...result, object: { kind, apiVersion, ...rest } }
}

function checkType(given: TypeGiven, type: ObjectType, scheme: Scheme): void {
  const { apiVersion, kind, group } = type.kind!
  const givenVersion = given.apiVersion || apiVersion
  const givenKind = given.kind || kind
  if (givenVersion === apiVersion && givenKind === kind) return
  const other = scheme.kind(givenVersion, givenKind)
  if (givenKind === kind && ((other && other.kind?.group === group) || isLegacy(givenVersion, scheme)))
    throw badRequest(
      `the API version in the data (${givenVersion}) does not match the expected API version (${apiVersion})`,
    )
  const why = other
    ? `converting (${goType(givenVersion, givenKind)}) to (${goGroup(group)}.${kind}): unknown conversion`
    : `no kind ${quote(givenKind)} is registered for version ${quote(givenVersion)} in scheme ${quote('pkg/api/legacyscheme/scheme.go:30')}`
  throw badRequest(`${kindText(given, type)} cannot be handled as a ${kind}: ${why}`)
}

/** Whether a version has no kinds any more: all of them have moved to other versions or groups. */
function isLegacy(apiVersion: string, { groups }: Scheme): boolean {
  const [group, version = ''] = apiVersion.split('/')
  return groups.some(({ name, legacy }) => name === group && legacy.includes(version))
}

/** `v1.Secret`: the version's last part and the kind. */
function goType(apiVersion: string, kind: string): string {
  return `${apiVersion.slice(apiVersion.indexOf('/') + 1)}.${kind}`
}

function goGroup(group: string): string {
  return group === '' ? 'core' : group.split('.')[0]!
}

function kindText(given: TypeGiven, type: ObjectType): string {
  const version = given.apiVersion ? given.apiVersion.slice(given.apiVersion.indexOf('/') + 1) : type.kind!.version
  return `${given.kind || type.kind!.kind} in version ${quote(version)}`
}

/** The kind and version in a body, which may be invalid otherwise. */
function typeInBody(bytes: Uint8Array, type: ObjectType): TypeGiven {
  try {
    return typeInJson(readJson(jsonTextOfBytes(bytes)))
  } catch (error) {
    if (!(error instanceof JsonSyntaxError) && !(error instanceof DecodeError)) throw error
    throw unrecognized(type, `couldn't get version/kind; json parse error: ${error.message}`, bytes)
  }
}

const typeStruct =
  'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }'

function typeInJson(value: unknown): TypeGiven {
  if (value === null) return {}
  if (!(value instanceof ExactObject))
    throw new DecodeError(`json: cannot unmarshal ${jsonName(value)} into Go value of type ${typeStruct}`)
  const given: Record<string, string> = {}
  for (const [key, member] of value.members) {
    if ((key !== 'apiVersion' && key !== 'kind') || member === null) continue
    if (typeof member !== 'string')
      throw new DecodeError(`json: cannot unmarshal ${jsonName(member)} into Go struct field .${key} of type string`)
    given[key] = member
  }
  return given
}

function jsonName(value: unknown): string {
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'string') return 'string'
  if (typeof value === 'boolean') return 'bool'
  return value instanceof ExactObject ? 'object' : 'number'
}

/** The error for a body in which no kind can be found. It shows the first bytes: as text if they look like JSON. */
function unrecognized(type: ObjectType, why: string, bytes: Uint8Array): Error {
  return badRequest(
    `the object provided is unrecognized (must be of type ${type.kind!.kind}): ${why} (${firstBytes(bytes)})`,
  )
}

const shownBytes = 30

function firstBytes(bytes: Uint8Array): string {
  if (bytes.length === 0) return '<empty>'
  const head = Buffer.from(bytes.subarray(0, shownBytes))
  const more = bytes.length > shownBytes ? ' ...' : ''
  return (head[0] === 0x7b ? head.toString('utf8') : head.toString('hex')) + more
}

/** Decodes protobuf, whose envelope names the kind before the object is read. */
function decodeMessage(bytes: Uint8Array, options: BodyOptions): DecodeResult {
  const { type, scheme, validation } = options
  const { apiVersion, kind, message } = withMalformedError(
    (why) => unrecognized(type, why, bytes),
    () => openEnvelope(bytes),
  )
  checkType({ apiVersion, kind }, type, scheme)
  return withMalformedError(
    (why) => badRequest(`${kindText({ apiVersion, kind }, type)} cannot be handled as a ${type.kind!.kind}: ${why}`),
    () => withType(decodeValue(type, { apiVersion, kind, ...decodeProtobuf(type, message) }, validation), options),
  )
}

function withMalformedError<T>(toError: (why: string) => Error, read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (error instanceof MalformedMessageError || error instanceof DecodeError) throw toError(error.message)
    throw error
  }
}

async function decodeYaml(bytes: Uint8Array, options: BodyOptions): Promise<DecodeResult> {
  const { type, validation } = options
  const { value, duplicates } = await yamlValue(bytes, type)
  const json = Buffer.from(JSON.stringify(value ?? null))
  const decoded = decodeWith(options, json, () => decodeJson(type, json, validation === 'Strict' ? 'Warn' : validation))
  const result = withType(decoded, options)
  if (validation === 'Ignore' || (duplicates.length === 0 && validation !== 'Strict')) return result
  const problems = [
    ...(duplicates.length > 0 ? [`yaml: unmarshal errors:\n  ${duplicates.join('\n  ')}`] : []),
    ...result.warnings,
  ]
  if (validation === 'Warn' || problems.length === 0) return { ...result, warnings: problems }
  const given = result.object as TypeGiven
  throw badRequest(
    `${kindText(given, type)} cannot be handled as a ${type.kind!.kind}: strict decoding error: ${problems.join(', ')}`,
  )
}

async function yamlValue(
  bytes: Uint8Array,
  type: ObjectType,
): Promise<{ value: unknown; duplicates: readonly string[] }> {
  try {
    return await parseYaml(Buffer.from(bytes).toString('utf8'))
  } catch (error) {
    if (!(error instanceof YamlSyntaxError)) throw error
    throw unrecognized(type, error.message, bytes)
  }
}
