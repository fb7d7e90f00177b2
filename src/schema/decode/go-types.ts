import type { FieldOptions } from '../declaration.js'
import type { LinkedType } from '../model.js'

/** The name of a type in decoding errors. It is upstream's, because clients and users match on it. */
export function goType(type: LinkedType, options: FieldOptions = {}): string {
  return options.goType ?? impliedGoType(type)
}

const scalars: Readonly<Record<string, string>> = {
  string: 'string',
  bool: 'bool',
  int32: 'int32',
  int64: 'int64',
  double: 'float64',
  bytes: '[]uint8',
  time: 'v1.Time',
  microTime: 'v1.MicroTime',
  quantity: 'resource.Quantity',
  intOrString: 'intstr.IntOrString',
  json: 'v1.JSON',
  rawExtension: 'runtime.RawExtension',
  fieldsV1: 'v1.FieldsV1',
}

function impliedGoType(type: LinkedType): string {
  switch (type.is) {
    case 'object':
      return qualifiedName(type.object.name)
    case 'enumeration':
    case 'either':
      return qualifiedName(type.name)
    case 'list':
      return `[]${impliedGoType(type.of)}`
    case 'map':
      return `map[string]${impliedGoType(type.of)}`
    default:
      return scalars[type.is]!
  }
}

/** `v1.Container` for `core/v1.Container`. */
function qualifiedName(name: string): string {
  return name.slice(name.indexOf('/') + 1)
}
