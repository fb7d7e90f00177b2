/**
 * What is doubtful about containers. For a pod they are told in this order: for each container, as `visitContainers` goes, its
 * annotations and then the container itself; after all of them, the ports.
 */
import type { FieldPath } from '../../../schema/field-path.js'
import { quote } from '../../../schema/quote.js'
import type { Container, ContainerPort } from './container.js'
import { visitContainers } from './pod-containers.js'
import type { PodSpec } from './pod-spec.js'
import { isFractional } from './resource-names.js'

/** What is doubtful about one container, wherever it stands. */
export function containerWarnings(container: Container, path: FieldPath): readonly string[] {
  return [...resourceWarnings(container, path), ...environmentWarnings(container, path)]
}

/** There is no part of a byte. */
function resourceWarnings({ resources = {} }: Container, path: FieldPath): readonly string[] {
  const warnings: string[] = []
  for (const name of ['memory', 'ephemeral-storage'])
    for (const list of ['limits', 'requests'] as const)
      warnings.push(...fractionWarnings(resources[list], name, path.child('resources', list)))
  return warnings
}

/** What is doubtful about an amount of bytes among others, whose path is given. */
export function fractionWarnings(
  resources: Readonly<Record<string, string>> | undefined,
  name: string,
  path: FieldPath,
): readonly string[] {
  const quantity = resources?.[name]
  if (quantity === undefined || !isFractional(quantity)) return []
  return [`${path.key(name)}: fractional byte value ${quote(quantity)} is invalid, must be an integer`]
}

/** A variable may be set again if its new value makes use of the old one. */
function environmentWarnings({ env = [] }: Container, path: FieldPath): readonly string[] {
  const warnings: string[] = []
  const seen = new Set<string>()
  for (const [i, { name, value = '', valueFrom }] of env.entries()) {
    const earlier = `$(${name})`
    const usesEarlier = !valueFrom && value !== earlier && value.includes(earlier)
    if (seen.has(name) && !usesEarlier) {
      const what = `hides previous definition of ${quote(name)}, which may be dropped when using apply`
      warnings.push(`${path.child('env').index(i)}: ${what}`)
    }
    seen.add(name)
  }
  return warnings
}

interface Place {
  readonly port: ContainerPort
  readonly path: FieldPath
}

/** What is doubtful about the ports of all containers together; `path` leads to the spec. */
export function portWarnings(spec: PodSpec, path: FieldPath): readonly string[] {
  const warnings: string[] = []
  const places = new Map<string, Place[]>()
  visitContainers(spec, path, ({ ports = [] }, at) => {
    for (const [i, port] of ports.entries()) {
      const place = { port, path: at.child('ports').index(i) }
      if (port.hostIP && !port.hostPort) warnings.push(`${place.path}: hostIP set without hostPort: ${portText(port)}`)
      const key = `${port.containerPort}/${port.protocol}`
      const others = places.get(key) ?? []
      for (const other of others) warnings.push(...clashWarnings(place, other))
      places.set(key, [...others, place])
    }
  })
  return warnings
}

function clashWarnings({ port, path }: Place, other: Place): readonly string[] {
  const relation = clash(port, other.port)
  return relation === undefined ? [] : [`${path}: ${relation} port definition with ${other.path}`]
}

/** How two ports with the same number and protocol get in each other's way. */
function clash(one: ContainerPort, other: ContainerPort): string | undefined {
  const { hostIP = '', hostPort = 0 } = one
  const { hostIP: otherIP = '', hostPort: otherPort = 0 } = other
  if (hostIP === otherIP && hostPort === otherPort) return 'duplicate'
  if (hostPort === 0 || otherPort === 0) return 'overlapping'
  if (hostPort !== otherPort) return undefined
  return (hostIP === '') !== (otherIP === '') ? 'dangerously ambiguous' : undefined
}

function portText({ name = '', hostPort = 0, containerPort, protocol = 'TCP', hostIP = '' }: ContainerPort): string {
  return `{Name:${name} HostPort:${hostPort} ContainerPort:${containerPort} Protocol:${protocol} HostIP:${hostIP}}`
}
