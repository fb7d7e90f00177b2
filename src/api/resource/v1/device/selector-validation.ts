/** Validates device selectors and driver configuration. */
import type { JsonValue } from '../../../../schema/declaration.js'
import * as field from '../../../../schema/field-errors.js'
import type { FieldPath } from '../../../../schema/field-path.js'
import type { DeviceSelector, OpaqueDeviceConfiguration } from '../device-selector.js'
import { validateList } from './list-validation.js'
import { validateDriverName } from './name-validation.js'

const mostSelectors = 32
const longestExpression = 10 * 1024
const longestParameters = 10 * 1024

export function validateDeviceSelectors(
  selectors: readonly DeviceSelector[] | undefined,
  path: FieldPath,
): readonly field.FieldError[] {
  return validateList(selectors, path, validateSelector, { maximum: mostSelectors })
}

function validateSelector({ cel }: DeviceSelector, path: FieldPath): readonly field.FieldError[] {
  if (!cel) return [field.required(path.child('cel'))]
  const at = path.child('cel', 'expression')
  if (Buffer.byteLength(cel.expression) > longestExpression) return [field.tooLong(at, longestExpression)]
  return validateDeviceExpression(cel.expression, at)
}

/**
 * Validates a CEL expression over a device: type and cost. Claims and classes call it for all of their expressions. For now it accepts every
 * expression.
 */
export function validateDeviceExpression(_expression: string, _path: FieldPath): readonly field.FieldError[] {
  return field.none
}

export function validateDeviceConfiguration(
  { opaque }: { readonly opaque?: OpaqueDeviceConfiguration },
  path: FieldPath,
  isStored = false,
): readonly field.FieldError[] {
  if (!opaque) return [field.required(path.child('opaque'))]
  return [
    ...validateDriverName(opaque.driver, path.child('opaque', 'driver')),
    ...validateJsonObject(
      opaque.parameters,
      path.child('opaque', 'parameters'),
      isStored ? undefined : longestParameters,
    ),
  ]
}

/** `longest` is the maximum number of bytes; undefined for values that were stored before the limit existed. */
export function validateJsonObject(
  value: JsonValue | undefined,
  path: FieldPath,
  longest: number | undefined,
): readonly field.FieldError[] {
  if (value === undefined || value === null) return [field.required(path)]
  if (longest !== undefined && Buffer.byteLength(JSON.stringify(value)) > longest) return [field.tooLong(path, longest)]
  if (typeof value === 'object' && !Array.isArray(value)) return field.none
  return [field.invalid(path, '<value omitted>', 'must be a valid JSON object')]
}
