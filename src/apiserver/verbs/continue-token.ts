import type { JsonValue } from '../../schema/declaration.js'
import { JsonSyntaxError, readJson } from '../../schema/decode/json-reader.js'
import { jsonTypeOf } from '../../schema/go-text.js'
import { quote } from '../../schema/quote.js'
import { ValueError } from '../../schema/value-error.js'

/** The position at which the next page of a list begins. */
export interface ContinueToken {
  /** The revision of the first page; `latest` if it was compacted and the client continues nevertheless. */
  readonly revision: number | typeof latest
  /** The last key of the previous page, without the prefix of the list. */
  readonly after: string
}

export const latest = -1

const version = 'meta.k8s.io/v1'

export function encodeContinue({ revision, after }: ContinueToken): string {
  return Buffer.from(JSON.stringify({ v: version, rv: revision, start: `${after}\0` })).toString('base64url')
}

/** Throws a `ValueError`. */
export function decodeContinue(token: string): ContinueToken {
  const { v, rv, start } = readToken(token)
  if (v !== version) throw invalid(`server does not recognize this encoded version ${v}`)
  if (rv === 0) throw invalid(`incorrect encoded start resourceVersion (version ${version})`)
  if (start === '') throw invalid(`encoded start key empty (version ${version})`)
  checkPath(start)
  return { revision: rv < 0 ? latest : rv, after: start.replace(/^\//, '').replace(/\0$/, '') }
}

function invalid(why: string): ValueError {
  return new ValueError(`continue key is not valid: ${why}`)
}

interface Fields {
  readonly v: string
  readonly rv: number
  readonly start: string
}

function readToken(token: string): Fields {
  checkBase64(token)
  const bytes = Buffer.from(token, 'base64url')
  checkFirstByte(bytes)
  const text = bytes.toString()
  try {
    readJson(text) // for its error messages
  } catch (error) {
    throw error instanceof JsonSyntaxError ? invalid(error.message) : error
  }
  return fieldsOf(JSON.parse(text) as JsonValue)
}

/** Rejects bytes that are not text. As upstream, the error shows the first byte as a character. */
function checkFirstByte(bytes: Uint8Array): void {
  const [first = 0] = bytes
  if (first < 0x80) return
  const character = quote(String.fromCharCode(first)).slice(1, -1)
  throw invalid(`invalid character '${character}' looking for beginning of value`)
}

/** Reads the fields of a token. Missing fields and null are empty; another type is an error, with upstream's message. */
function fieldsOf(value: JsonValue): Fields {
  if (value !== null && (typeof value !== 'object' || Array.isArray(value)))
    throw invalid(`json: cannot unmarshal ${jsonTypeOf(value)} into Go value of type storage.continueToken`)
  const { v = null, rv = null, start = null } = (value ?? {}) as Readonly<Record<string, JsonValue>>
  return {
    v: field('v', v, 'string') ?? '',
    rv: field('rv', rv, 'int64') ?? 0,
    start: field('start', start, 'string') ?? '',
  }
}

function field(name: string, value: JsonValue, type: 'string'): string | undefined
function field(name: string, value: JsonValue, type: 'int64'): number | undefined
function field(name: string, value: JsonValue, type: 'string' | 'int64'): string | number | undefined {
  if (value === null) return undefined
  if (type === 'string' && typeof value === 'string') return value
  if (type === 'int64' && typeof value === 'number' && Number.isSafeInteger(value)) return value
  const found = type === 'int64' && typeof value === 'number' ? `number ${value}` : jsonTypeOf(value)
  throw invalid(`json: cannot unmarshal ${found} into Go struct field continueToken.${name} of type ${type}`)
}

/** Rejects a token that is not base64. Line ends are ignored; the error has the position of the first other character. */
function checkBase64(token: string): void {
  const wrong = token.search(/[^A-Za-z0-9_\-\r\n]/)
  if (wrong >= 0) throw invalid(`illegal base64 data at input byte ${wrong}`)
  const length = token.replace(/[\r\n]/g, '').length
  if (length % 4 === 1) throw invalid(`illegal base64 data at input byte ${token.length - 1}`)
}

/** Rejects a token with a path that leads out of the collection. */
function checkPath(start: string): void {
  if (start === '/') return
  const path = start.startsWith('/') ? start.slice(1) : start
  const isClean = path.split('/').every((segment) => segment !== '' && segment !== '.' && segment !== '..')
  if (!isClean) throw invalid(start)
}
