/** Validates names of drivers, pools, devices and their properties. */
import * as field from '../../../../schema/field-errors.js'
import type { FieldPath } from '../../../../schema/field-path.js'
import { cIdentifier } from '../../../../schema/identifiers.js'
import { dnsLabel, dnsSubdomain } from '../../../../schema/names.js'

const longestDriver = 63
const longestPool = 253
const longestIdentifier = 32
/** A domain, a slash and an identifier. */
export const longestQualifiedName = longestDriver + 1 + longestIdentifier

export function validateDriverName(name: string | undefined, path: FieldPath): readonly field.FieldError[] {
  if (!name) return [field.required(path)]
  return [
    ...(Buffer.byteLength(name) > longestDriver ? [field.tooLong(path, longestDriver)] : []),
    ...field.invalidForEach(path, name, dnsSubdomain(name.toLowerCase())),
  ]
}

/** Pools may be named after what they are part of: `rack-1/node-5`. */
export function validatePoolName(name: string | undefined, path: FieldPath): readonly field.FieldError[] {
  if (!name) return [field.required(path)]
  return [
    ...(Buffer.byteLength(name) > longestPool ? [field.tooLong(path, longestPool)] : []),
    ...name.split('/').flatMap((part) => field.invalidForEach(path, part, dnsSubdomain(part))),
  ]
}

/** Validates names of devices, requests and counters. */
export function validateShortName(name: string, path: FieldPath): readonly field.FieldError[] {
  return field.invalidForEach(path, name, dnsLabel(name))
}

/** Validates the name of an attribute or capacity: an identifier with an optional domain of a driver. */
export function validateQualifiedName(name: string, path: FieldPath): readonly field.FieldError[] {
  const [first, second, ...more] = name.split('/') as [string, ...string[]]
  if (second === undefined) return validateIdentifier(first, path)
  if (more.length > 0) return field.none
  return [
    ...(first === '' ? [field.invalid(path, '', 'the domain must not be empty')] : validateDriverName(first, path)),
    ...(second === '' ? [field.invalid(path, '', 'the name must not be empty')] : validateIdentifier(second, path)),
  ]
}

export function validateFullyQualifiedName(name: string, path: FieldPath): readonly field.FieldError[] {
  const errors = validateQualifiedName(name, path)
  if (name.includes('/')) return errors
  const detail = 'a fully qualified name must be a domain and a name separated by a slash'
  return [...errors, field.invalid(path, name, detail)]
}

function validateIdentifier(identifier: string, path: FieldPath): readonly field.FieldError[] {
  return [
    ...(Buffer.byteLength(identifier) > longestIdentifier ? [field.tooLong(path, longestIdentifier)] : []),
    ...field.invalidForEach(path, identifier, cIdentifier(identifier)),
  ]
}

/** Validates the identifier of one share of a shared device. */
export function validateShareId(id: string, path: FieldPath): readonly field.FieldError[] {
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id)) return field.none
  return [
    field.invalid(
      path,
      id,
      /^[0-9a-f]{8}(-?[0-9a-f]{4}){3}-?[0-9a-f]{12}$/i.test(id)
        ? 'uid must be in RFC 4122 normalized form, `xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx` with lowercase hexadecimal characters'
        : `error validating uid: invalid UUID length: ${id.length}`,
    ),
  ]
}
