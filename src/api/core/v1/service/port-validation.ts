import * as field from '../../../../schema/field-errors.js'
import type { FieldPath } from '../../../../schema/field-path.js'
import { labelKey } from '../../../../schema/label-names.js'
import { dnsLabel } from '../../../../schema/names.js'
import { validatePortNumber, validatePortNumberOrName, validateProtocol } from '../../../validation/ports.js'
import type { ServicePort, ServiceSpec } from '../service.js'

/** What is wrong with each port by itself; several ports need names, which tell them apart. */
export function* validateServicePorts(ports: readonly ServicePort[] = [], path: FieldPath): Iterable<field.FieldError> {
  const names = new Set<string>()
  for (const [i, port] of ports.entries()) yield* validateServicePort(port, path.index(i), names, ports.length > 1)
}

function* validateServicePort(
  port: ServicePort,
  path: FieldPath,
  names: Set<string>,
  isNameRequired: boolean,
): Iterable<field.FieldError> {
  const { name = '', targetPort = 0, appProtocol } = port
  if (name !== '') {
    yield* field.invalidForEach(path.child('name'), name, dnsLabel(name))
    if (names.has(name)) yield field.duplicate(path.child('name'), name)
    names.add(name)
  } else if (isNameRequired) yield field.required(path.child('name'))
  yield* validatePortNumber(port.port, path.child('port'))
  yield* validateProtocol(port.protocol, path.child('protocol'))
  yield* validatePortNumberOrName(targetPort, path.child('targetPort'))
  if (appProtocol !== undefined)
    yield* field.invalidForEach(path.child('appProtocol'), appProtocol, labelKey(appProtocol))
}

export function* validateNoNodePorts({ ports = [] }: ServiceSpec, path: FieldPath): Iterable<field.FieldError> {
  for (const [i, { nodePort }] of ports.entries())
    if (nodePort) yield field.forbidden(path.index(i).child('nodePort'), "may not be used when `type` is 'ClusterIP'")
}

/** A port belongs to one entry for each protocol. The ports of nodes are told apart when they are given out. */
export function* validateDistinctPorts({ ports = [] }: ServiceSpec, path: FieldPath): Iterable<field.FieldError> {
  const seen = new Set<string>()
  for (const [i, { port, protocol = '' }] of ports.entries()) {
    const key = `${protocol}/${port}`
    if (seen.has(key)) yield field.duplicate(path.index(i), shownPair(port, protocol))
    seen.add(key)
  }
}

/** A port of which only the number and protocol are told, with all the names that clients are used to see. */
function shownPair(port: number, protocol: string): object {
  return { Name: '', Protocol: protocol, AppProtocol: null, Port: port, TargetPort: 0, NodePort: 0 }
}
