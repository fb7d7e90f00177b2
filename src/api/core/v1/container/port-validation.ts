import type { FieldError } from '../../../../schema/field-errors.js'
import * as field from '../../../../schema/field-errors.js'
import type { FieldPath } from '../../../../schema/field-path.js'
import { portName, portNumber } from '../../../../schema/identifiers.js'
import { validateChoice } from '../../../validation/choices.js'
import type { Container, ContainerPort } from '../container.js'

const protocols = ['SCTP', 'TCP', 'UDP'] as const

/** Validates the ports of one container. */
export function validateContainerPorts(
  ports: readonly ContainerPort[] | undefined,
  path: FieldPath,
): readonly FieldError[] {
  if (!ports) return field.none
  const errors: FieldError[] = []
  const names = new Set<string>()
  for (const [i, port] of ports.entries()) {
    const at = path.index(i)
    errors.push(...validateName(port.name ?? '', at, names), ...validateNumbers(port, at))
    errors.push(...validateChoice(port.protocol, at.child('protocol'), protocols))
  }
  return errors
}

function validateName(name: string, path: FieldPath, names: Set<string>): readonly FieldError[] {
  if (name === '') return field.none
  const messages = portName(name)
  if (messages.length > 0) return field.invalidForEach(path.child('name'), name, messages)
  if (names.has(name)) return [field.duplicate(path.child('name'), name)]
  names.add(name)
  return field.none
}

function validateNumbers({ containerPort, hostPort = 0 }: ContainerPort, path: FieldPath): readonly FieldError[] {
  const inside =
    containerPort === 0
      ? [field.required(path.child('containerPort'))]
      : field.invalidForEach(path.child('containerPort'), containerPort, portNumber(containerPort))
  if (hostPort === 0) return inside
  return [...inside, ...field.invalidForEach(path.child('hostPort'), hostPort, portNumber(hostPort))]
}

/** Rejects host ports that several containers running at the same time use. */
export function validateHostPorts(
  containers: readonly Pick<Container, 'ports'>[],
  path: FieldPath,
): readonly FieldError[] {
  const errors: FieldError[] = []
  const taken = new Set<string>()
  for (const [i, { ports = [] }] of containers.entries())
    for (const [j, { protocol = '', hostIP = '', hostPort = 0 }] of ports.entries()) {
      if (hostPort === 0) continue
      const port = `${protocol}/${hostIP}/${hostPort}`
      if (taken.has(port)) errors.push(field.duplicate(path.index(i).child('ports').index(j).child('hostPort'), port))
      taken.add(port)
    }
  return errors
}
