import type { Status } from '../../../api/meta/v1/status.js'
import type { JsonObject } from '../../../schema/declaration.js'
import { decodeJson } from '../../../schema/decode/decoder.js'
import { DecodeError } from '../../../schema/decode/inspect.js'
import { JsonSyntaxError, readJson } from '../../../schema/decode/json-reader.js'
import { jsonTextOfBytes } from '../../../schema/json-text.js'
import { stringIn } from '../../../schema/json-value.js'
import { quote } from '../../../schema/quote.js'
import type { AdmissionReviewVersion } from './review.js'
import { type AdmissionReview, responseScheme } from './review-kinds.js'

/** The response of a webhook is not a review. */
export class UnreadableResponseError extends Error {
  override readonly name = 'UnreadableResponseError'
}

const reviewKind = 'AdmissionReview'
const reviewGroup = 'admission.k8s.io'

/** Reads the body of a response as a review of the requested version. Throws an `UnreadableResponseError`. */
export function readReview(body: Buffer, version: AdmissionReviewVersion): AdmissionReview {
  return readable(() => {
    const given = typeIn(body)
    if (given.kind === 'Status' && given.apiVersion === 'v1') throw new UnreadableResponseError(statusText(body))
    checkType(given, version)
    const { object } = decodeJson(responseScheme.type(`admission/${version}.AdmissionReview`), body, 'Ignore')
    const { apiVersion: _version, kind: _kind, ...rest } = object as AdmissionReview
    return { ...given, ...rest } // without the type that decoding adds, so that a missing one shows
  })
}

function readable<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (error instanceof DecodeError || error instanceof JsonSyntaxError)
      throw new UnreadableResponseError(error.message)
    throw error
  }
}

interface GivenType {
  readonly apiVersion?: string
  readonly kind?: string
}

/** A missing type counts as the expected one. */
function checkType({ apiVersion = '', kind = '' }: GivenType, version: AdmissionReviewVersion): void {
  const wanted = `${reviewGroup}/${version}`
  if ((apiVersion === '' || apiVersion === wanted) && (kind === '' || kind === reviewKind)) return
  const other = apiVersion.slice(reviewGroup.length + 1)
  if (kind === reviewKind && responseScheme.kind(apiVersion, kind))
    throw new UnreadableResponseError(`converting (${other}.${kind}) to (${version}.${kind}): unknown conversion`)
  throw new UnreadableResponseError(
    `no kind ${quote(kind || reviewKind)} is registered for version ${quote(apiVersion || wanted)} in scheme "k8s.io/apiserver/pkg/util/webhook/client.go:64"`,
  )
}

const typeStruct =
  'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }'

function typeIn(body: Buffer): GivenType {
  const value = parsed(jsonTextOfBytes(body))
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new UnreadableResponseError(
      `couldn't get version/kind; json parse error: json: cannot unmarshal ${Array.isArray(value) ? 'array' : 'string'} into Go value of type ${typeStruct}`,
    )
  const apiVersion = stringIn(value as JsonObject, 'apiVersion')
  const kind = stringIn(value as JsonObject, 'kind')
  return { ...(apiVersion !== '' && { apiVersion }), ...(kind !== '' && { kind }) }
}

/** Text that does not begin like JSON counts as a YAML string, as upstream has it. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return /^\s*[[{]/.test(text) ? parsedByReader(text) : text
  }
}

/** Parses again for upstream's error message. */
function parsedByReader(text: string): unknown {
  try {
    return readJson(text)
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error
    throw new UnreadableResponseError(`couldn't get version/kind; json parse error: ${error.message}`)
  }
}

function statusText(body: Buffer): string {
  const { message = '' } = decodeJson(responseScheme.type('meta/v1.Status'), body, 'Ignore').object as Partial<Status>
  return message
}

/** Returns the status in the body of a response, if it is a failure. */
export function failureIn(body: Buffer): Partial<Status> | undefined {
  try {
    const status = decodeJson(responseScheme.type('meta/v1.Status'), body, 'Ignore').object as Partial<Status>
    return status.kind === 'Status' && status.status === 'Failure' ? status : undefined
  } catch (error) {
    if (error instanceof DecodeError || error instanceof JsonSyntaxError) return undefined
    throw error
  }
}
