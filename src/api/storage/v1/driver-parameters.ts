/** Validates the driver and the parameters of storage classes and attributes classes. */
import type { FieldError } from '../../../schema/field-errors.js'
import * as field from '../../../schema/field-errors.js'
import type { FieldPath } from '../../../schema/field-path.js'
import { labelKey } from '../../../schema/label-names.js'

const mostParameters = 512
/** In bytes, of keys and values together. */
export const largestParameters = 256 * 1024

/** Validates the name of a driver, ignoring case. Errors contain it in lower case. */
export function checkDriver(name: string, path: FieldPath, errors: FieldError[]): void {
  const lower = name.toLowerCase()
  if (name === '') errors.push(field.required(path))
  else errors.push(...field.invalidForEach(path, lower, labelKey(lower)))
}

export function checkParameters(
  parameters: Readonly<Record<string, string>> = {},
  path: FieldPath,
  errors: FieldError[],
): void {
  const keys = Object.keys(parameters)
  if (keys.length > mostParameters) {
    errors.push(field.tooLong(path, mostParameters))
    return
  }
  if (keys.includes('')) errors.push(field.invalid(path, '', 'field can not be empty.'))
  if (sizeOfMap(parameters) > largestParameters) errors.push(field.tooLong(path, largestParameters))
}

/** In bytes, of keys and values together. */
export function sizeOfMap(map: Readonly<Record<string, string>>): number {
  let size = 0
  for (const [key, value] of Object.entries(map)) size += Buffer.byteLength(key) + Buffer.byteLength(value)
  return size
}
