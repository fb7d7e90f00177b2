/** Validates ports of services, endpoints and network policies. */
import * as field from '../../schema/field-errors.js'
import type { FieldPath } from '../../schema/field-path.js'
import { portName, portNumber } from '../../schema/identifiers.js'
import type { IntOrString } from '../../schema/values/int-or-string.js'

const protocols = ['SCTP', 'TCP', 'UDP'] as const
const isProtocol: ReadonlySet<string> = new Set(protocols)

export function validateProtocol(protocol: string | undefined, path: FieldPath): readonly field.FieldError[] {
  if (!protocol) return [field.required(path)]
  return isProtocol.has(protocol) ? field.none : [field.notSupported(path, protocol, protocols)]
}

export function validatePortNumber(port: number, path: FieldPath): readonly field.FieldError[] {
  return field.invalidForEach(path, port, portNumber(port))
}

/** Validates the number of a port, or the name of a container port. */
export function validatePortNumberOrName(port: IntOrString, path: FieldPath): readonly field.FieldError[] {
  return field.invalidForEach(path, port, typeof port === 'number' ? portNumber(port) : portName(port))
}
