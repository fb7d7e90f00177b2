import type { Status } from '../../../api/meta/v1/status.js'
import type { JsonObject } from '../../../schema/declaration.js'
import { decode } from '../../../schema/decode/decoder.js'
import { DecodeError } from '../../../schema/decode/inspect.js'
import { JsonSyntaxError, readJson } from '../../../schema/decode/json-reader.js'
import { jsonTextOfBytes } from '../../../schema/json-text.js'
import { stringIn } from '../../../schema/json-value.js'
import { quote } from '../../../schema/quote.js'
import type { AdmissionReviewVersion } from './review.js'
import { type AdmissionReview, answerScheme } from './review-kinds.js'

/** What a webhook sent cannot be read as a review. */
export class UnreadableAnswer extends Error {
  override readonly name = 'UnreadableAnswer'
}

const reviewKind = 'AdmissionReview'
const reviewGroup = 'admission.k8s.io'

/** Reads the body of an answer as a review of the version in which it was asked. Throws an `UnreadableAnswer`. */
export function readReview(body: Buffer, version: AdmissionReviewVersion): AdmissionReview {
  return readable(() => {
    const given = typeIn(body)
    if (given.kind === 'Status' && given.apiVersion === 'v1') throw new UnreadableAnswer(statusText(body))
    checkType(given, version)
    const { object } = decode(answerScheme.type(`admission/${version}.AdmissionReview`), body, 'Ignore')
    const { apiVersion: _version, kind: _kind, ...rest } = object as AdmissionReview
    return { ...given, ...rest } // what it left out shows that it did
  })
}

function readable<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (error instanceof DecodeError || error instanceof JsonSyntaxError) throw new UnreadableAnswer(error.message)
    throw error
  }
}

interface TypeGiven {
  readonly apiVersion?: string
  readonly kind?: string
}

/** What is left out is taken for what was expected. */
function checkType({ apiVersion = '', kind = '' }: TypeGiven, version: AdmissionReviewVersion): void {
  const wanted = `${reviewGroup}/${version}`
  if ((apiVersion === '' || apiVersion === wanted) && (kind === '' || kind === reviewKind)) return
  const other = apiVersion.slice(reviewGroup.length + 1)
  if (kind === reviewKind && answerScheme.kind(apiVersion, kind))
    throw new UnreadableAnswer(`converting (${other}.${kind}) to (${version}.${kind}): unknown conversion`)
  throw new UnreadableAnswer(
    `no kind ${quote(kind || reviewKind)} is registered for version ${quote(apiVersion || wanted)} in scheme "k8s.io/apiserver/pkg/util/webhook/client.go:64"`,
  )
}

const typeStruct =
  'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }'

function typeIn(body: Buffer): TypeGiven {
  const value = parsed(jsonTextOfBytes(body))
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new UnreadableAnswer(
      `couldn't get version/kind; json parse error: json: cannot unmarshal ${Array.isArray(value) ? 'array' : 'string'} into Go value of type ${typeStruct}`,
    )
  const apiVersion = stringIn(value as JsonObject, 'apiVersion')
  const kind = stringIn(value as JsonObject, 'kind')
  return { ...(apiVersion !== '' && { apiVersion }), ...(kind !== '' && { kind }) }
}

/** Text that does not even begin like JSON would be YAML, and then it is a string. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return /^\s*[[{]/.test(text) ? complained(text) : text
  }
}

/** The same once more, for a complaint that clients know. */
function complained(text: string): unknown {
  try {
    return readJson(text)
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error
    throw new UnreadableAnswer(`couldn't get version/kind; json parse error: ${error.message}`)
  }
}

function statusText(body: Buffer): string {
  const { message = '' } = decode(answerScheme.type('meta/v1.Status'), body, 'Ignore').object as Partial<Status>
  return message
}

/** What a status in the body of an answer says that is no success; undefined if there is none. */
export function failureIn(body: Buffer): Partial<Status> | undefined {
  try {
    const status = decode(answerScheme.type('meta/v1.Status'), body, 'Ignore').object as Partial<Status>
    return status.kind === 'Status' && status.status === 'Failure' ? status : undefined
  } catch (error) {
    if (error instanceof DecodeError || error instanceof JsonSyntaxError) return undefined
    throw error
  }
}
