import { badRequest, unsupportedMediaType } from '../../api/errors.js'
import { MalformedMessageError } from '../../base/protobuf/reader.js'
import { type DecodeResult, decode, decodeValue, type FieldValidation } from '../../schema/decode/decoder.js'
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

/** No body may be longer. */
export const maximumBody = 3 * 1024 * 1024

const readable = ['application/json', 'application/yaml', protobufType]

export interface BodyOptions {
  readonly scheme: Scheme
  /** What the body must be. */
  readonly type: ObjectType
  readonly validation: FieldValidation
}

/** Reads the body of a request as an object of a kind, in canonical form and without defaults. Nobody else holds it. */
export async function readObject(request: ApiRequest, options: BodyOptions): Promise<DecodeResult> {
  const media = mediaOf(request, options.type)
  const body = await request.body(maximumBody)
  if ('value' in body)
    return typed(
      decodeAs(options, '', () => decodeValue(options.type, body.value, options.validation)),
      options,
    )
  return decodeObject(media, body.bytes, options)
}

function mediaOf({ headers }: ApiRequest, objects: ObjectType): string {
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
  const result = decodeAs(options, bytes, () => decode(type, bytes, validation))
  return typed(result, options)
}

/** Where decoding fails, what the body says it is comes first: then the failure may mean something else. */
function decodeAs(
  { type, scheme }: BodyOptions,
  bytes: Uint8Array | string,
  decodeIt: () => DecodeResult,
): DecodeResult {
  try {
    return decodeIt()
  } catch (error) {
    if (!(error instanceof DecodeError) && !(error instanceof JsonSyntaxError)) throw error
    const given = typeof bytes === 'string' ? {} : typeGiven(bytes, type)
    checkType(given, type, scheme)
    throw badRequest(`${kindText(given, type)} cannot be handled as a ${type.kind!.kind}: ${error.message}`)
  }
}

interface TypeGiven {
  readonly apiVersion?: string
  readonly kind?: string
}

/** Adds what the client may leave out, or refuses what is another kind. */
function typed(result: DecodeResult, { type, scheme }: BodyOptions): DecodeResult {
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

/** A version of which nothing is left but its name: kinds have been moved to where they are now. */
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

/** What a body says it is, read as leniently as possible. */
function typeGiven(bytes: Uint8Array, type: ObjectType): TypeGiven {
  try {
    return typeIn(readJson(jsonTextOfBytes(bytes)))
  } catch (error) {
    if (!(error instanceof JsonSyntaxError) && !(error instanceof DecodeError)) throw error
    throw unrecognized(type, `couldn't get version/kind; json parse error: ${error.message}`, bytes)
  }
}

const typeStruct =
  'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }'

function typeIn(value: unknown): TypeGiven {
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

/** The body is not of a form in which kinds can be told. What it begins with is shown: as text if it looks like JSON. */
function unrecognized(type: ObjectType, why: string, bytes: Uint8Array): Error {
  return badRequest(
    `the object provided is unrecognized (must be of type ${type.kind!.kind}): ${why} (${beginning(bytes)})`,
  )
}

const shownBytes = 30

function beginning(bytes: Uint8Array): string {
  if (bytes.length === 0) return '<empty>'
  const head = Buffer.from(bytes.subarray(0, shownBytes))
  const more = bytes.length > shownBytes ? ' ...' : ''
  return (head[0] === 0x7b ? head.toString('utf8') : head.toString('hex')) + more
}

/** Protobuf names its kind outside of the object, so that it is known before anything of the object is read. */
function decodeMessage(bytes: Uint8Array, options: BodyOptions): DecodeResult {
  const { type, scheme, validation } = options
  const { apiVersion, kind, message } = malformedAs(
    (why) => unrecognized(type, why, bytes),
    () => openEnvelope(bytes),
  )
  checkType({ apiVersion, kind }, type, scheme)
  return malformedAs(
    (why) => badRequest(`${kindText({ apiVersion, kind }, type)} cannot be handled as a ${type.kind!.kind}: ${why}`),
    () => typed(decodeValue(type, { apiVersion, kind, ...decodeProtobuf(type, message) }, validation), options),
  )
}

function malformedAs<T>(refusal: (why: string) => Error, read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (error instanceof MalformedMessageError || error instanceof DecodeError) throw refusal(error.message)
    throw error
  }
}

async function decodeYaml(bytes: Uint8Array, options: BodyOptions): Promise<DecodeResult> {
  const { type, validation } = options
  const { value, duplicates } = await yamlValue(bytes, type)
  const json = Buffer.from(JSON.stringify(value ?? null))
  const decoded = decodeAs(options, json, () => decode(type, json, validation === 'Strict' ? 'Warn' : validation))
  const result = typed(decoded, options)
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
