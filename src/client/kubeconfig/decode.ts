import { quote } from '../../schema/quote.js'
import type { Shape } from './shape.js'

/** Where in the file something stands, for what is said about it. */
interface Place {
  /** `clusters.cluster.server` */
  readonly path: string
  /** The type that has the field, as the original calls it. */
  readonly owner: string
}

/**
 * Takes what a shape says out of parsed JSON, in memory's form. Zero values are left out: the file's and ours mean the same. Throws, in
 * the words of the original, where something is of the wrong type; never with a value in it, which could be a secret.
 */
export function decode(shape: Shape, value: unknown, place: Place): unknown {
  if (value === undefined || value === null) return undefined
  switch (shape.is) {
    case 'anything':
      return value
    case 'string':
      return typeof value === 'string' ? value || undefined : misfit('string', value, place)
    case 'bool':
      return typeof value === 'boolean' ? value || undefined : misfit('bool', value, place)
    case 'bytes':
      return typeof value === 'string' ? decodeBytes(value) : misfit('[]uint8', value, place)
    case 'list':
      return decodeList(shape, value, place)
    case 'map':
      return decodeMap(shape, value, place)
    case 'object':
      return decodeObject(shape, value, place)
    case 'named':
      return decodeNamed(shape, value, place)
  }
}

/** Stays in base64, which is how it is kept; what is no base64 is refused here and not when it is used. */
function decodeBytes(value: string): string | undefined {
  const text = value.replace(/[\r\n]/g, '')
  const wrong = text.search(/[^A-Za-z0-9+/]/)
  const digits = wrong === -1 ? text : text.slice(0, wrong)
  const padding = text.slice(digits.length)
  const isWhole = text.length % 4 === 0 && /^={0,2}$/.test(padding)
  if (!isWhole) throw new Error(`illegal base64 data at input byte ${wrong === -1 ? digits.length & ~3 : wrong}`)
  return text || undefined
}

function decodeList(shape: Shape & { is: 'list' }, value: unknown, place: Place): unknown {
  if (!Array.isArray(value)) return misfit(shape.goType, value, place)
  const items = value.map((item) => decode(shape.of, item, place) ?? zeroOf(shape.of))
  return items.length === 0 ? undefined : items
}

function decodeMap(shape: Shape & { is: 'map' }, value: unknown, place: Place): unknown {
  if (!isObject(value)) return misfit(shape.goType, value, place)
  const entries = Object.entries(value)
  if (entries.length === 0) return undefined
  return Object.fromEntries(entries.map(([name, each]) => [name, decode(shape.of, each, place) ?? zeroOf(shape.of)]))
}

function decodeObject(shape: Shape & { is: 'object' }, value: unknown, place: Place): Record<string, unknown> {
  if (!isObject(value)) return misfit(`v1.${shape.goType}`, value, place)
  const result: Record<string, unknown> = {}
  for (const [name, field] of Object.entries(shape.fields)) {
    const given = Object.hasOwn(value, name) ? value[name] : undefined
    const decoded = decode(field, given, { path: join(place.path, name), owner: shape.goType })
    if (decoded !== undefined) result[name] = decoded
  }
  return result
}

function decodeNamed(shape: Shape & { is: 'named' }, value: unknown, place: Place): ReadonlyMap<string, unknown> {
  if (!Array.isArray(value)) return misfit(`[]v1.${shape.goType}`, value, place)
  const result = new Map<string, unknown>()
  for (const item of value) {
    const fields = { name: { is: 'string' }, [shape.under]: shape.of } as const
    const entry = decodeObject({ is: 'object', fields, goType: shape.goType }, item, place)
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

function misfit(goType: string, value: unknown, { path, owner }: Place): never {
  const found = Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value
  const what = path === '' ? `Go value of type ${goType}` : `Go struct field ${owner}.${path} of type ${goType}`
  throw new Error(`json: cannot unmarshal ${found} into ${what}`)
}
