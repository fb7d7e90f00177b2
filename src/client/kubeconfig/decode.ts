import { quote } from '../../schema/quote.js'
import type { Shape } from './shape.js'

/** The position in the file, for error messages. */
interface FieldLocation {
  /** `clusters.cluster.server` */
  readonly path: string
  /** Upstream's name of the type that has the field. */
  readonly owner: string
}

/**
 * Decodes parsed JSON by its shape. Zero values are left out: they mean the same. Throws upstream's message for a value of the wrong type.
 * The message never contains the value, which could be a secret.
 */
export function decodeShape(shape: Shape, value: unknown, location: FieldLocation): unknown {
  if (value === undefined || value === null) return undefined
  switch (shape.is) {
    case 'anything':
      return value
    case 'string':
      return typeof value === 'string' ? value || undefined : throwTypeMismatch('string', value, location)
    case 'bool':
      return typeof value === 'boolean' ? value || undefined : throwTypeMismatch('bool', value, location)
    case 'bytes':
      return typeof value === 'string' ? decodeBytes(value) : throwTypeMismatch('[]uint8', value, location)
    case 'list':
      return decodeList(shape, value, location)
    case 'map':
      return decodeMap(shape, value, location)
    case 'object':
      return decodeObject(shape, value, location)
    case 'named':
      return decodeNamed(shape, value, location)
  }
}

/** Returns the text as it is. Rejects invalid base64 when it is read, not when it is used. */
function decodeBytes(value: string): string | undefined {
  const text = value.replace(/[\r\n]/g, '')
  const wrong = text.search(/[^A-Za-z0-9+/]/)
  const digits = wrong === -1 ? text : text.slice(0, wrong)
  const padding = text.slice(digits.length)
  const isWhole = text.length % 4 === 0 && /^={0,2}$/.test(padding)
  if (!isWhole) throw new Error(`illegal base64 data at input byte ${wrong === -1 ? digits.length & ~3 : wrong}`)
  return text || undefined
}

function decodeList(shape: Shape & { is: 'list' }, value: unknown, location: FieldLocation): unknown {
  if (!Array.isArray(value)) return throwTypeMismatch(shape.goType, value, location)
  const items = value.map((item) => decodeShape(shape.of, item, location) ?? zeroOf(shape.of))
  return items.length === 0 ? undefined : items
}

function decodeMap(shape: Shape & { is: 'map' }, value: unknown, location: FieldLocation): unknown {
  if (!isObject(value)) return throwTypeMismatch(shape.goType, value, location)
  const entries = Object.entries(value)
  if (entries.length === 0) return undefined
  return Object.fromEntries(
    entries.map(([name, each]) => [name, decodeShape(shape.of, each, location) ?? zeroOf(shape.of)]),
  )
}

function decodeObject(
  shape: Shape & { is: 'object' },
  value: unknown,
  location: FieldLocation,
): Record<string, unknown> {
  if (!isObject(value)) return throwTypeMismatch(`v1.${shape.goType}`, value, location)
  const result: Record<string, unknown> = {}
  for (const [name, field] of Object.entries(shape.fields)) {
    const given = Object.hasOwn(value, name) ? value[name] : undefined
    const decoded = decodeShape(field, given, { path: join(location.path, name), owner: shape.goType })
    if (decoded !== undefined) result[name] = decoded
  }
  return result
}

function decodeNamed(
  shape: Shape & { is: 'named' },
  value: unknown,
  location: FieldLocation,
): ReadonlyMap<string, unknown> {
  if (!Array.isArray(value)) return throwTypeMismatch(`[]v1.${shape.goType}`, value, location)
  const result = new Map<string, unknown>()
  for (const item of value) {
    const fields = { name: { is: 'string' }, [shape.under]: shape.of } as const
    const entry = decodeObject({ is: 'object', fields, goType: shape.goType }, item, location)
    const name = String(entry.name ?? '')
    if (result.has(name)) {
      const conversion = `*[]${shape.goType} into *map[string]*${shape.map}`
      throw new Error(`error converting ${conversion}: duplicate name ${quote(name)} in list`)
    }
    result.set(name, entry[shape.under] ?? zeroOf(shape.of))
  }
  return result
}

function zeroOf(shape: Shape): unknown {
  if (shape.is === 'string' || shape.is === 'bytes') return ''
  if (shape.is === 'bool') return false
  if (shape.is === 'list') return []
  return shape.is === 'anything' ? null : {}
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function join(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`
}

function throwTypeMismatch(goType: string, value: unknown, { path, owner }: FieldLocation): never {
  const found = Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value
  const what = path === '' ? `Go value of type ${goType}` : `Go struct field ${owner}.${path} of type ${goType}`
  throw new Error(`json: cannot unmarshal ${found} into ${what}`)
}
