/**
 * Warnings about containers. Their order for a pod: for each container, in the order of `visitContainers`, its annotations and then the
 * container itself; after all containers, the ports.
 */
import type { FieldPath } from '../../../../schema/field-path.js'
import { quote } from '../../../../schema/quote.js'
import type { Container, ContainerPort } from '../container.js'
import { visitContainers } from '../pod/containers.js'
import type { PodSpec } from '../pod/spec.js'
import { isFractional } from '../resource-requirements/resource-names.js'
import type { EnvVar } from './env.js'

/** Warnings about one container. */
export function containerWarnings(container: Container, path: FieldPath): readonly string[] {
  return [...resourceWarnings(container, path), ...environmentWarnings(container, path)]
}

/** Warnings about fractions of bytes. */
function resourceWarnings({ resources }: Container, path: FieldPath): readonly string[] {
  if (!resources?.limits && !resources?.requests) return []
  const warnings: string[] = []
  for (const name of byteResources)
    for (const list of ['limits', 'requests'] as const)
      if (isFraction(resources[list]?.[name]))
        warnings.push(fractionWarning(resources[list]![name]!, path.child('resources', list).key(name)))
  return warnings
}

const byteResources = ['memory', 'ephemeral-storage'] as const

/** Warnings about fractions of bytes in resources at `path`. */
export function fractionWarnings(resources: Readonly<Record<string, string>>, path: FieldPath): readonly string[] {
  const fractions = byteResources.filter((name) => isFraction(resources[name]))
  return fractions.map((name) => fractionWarning(resources[name]!, path.key(name)))
}

function isFraction(quantity: string | undefined): boolean {
  return quantity !== undefined && isFractional(quantity)
}

function fractionWarning(quantity: string, path: FieldPath): string {
  return `${path}: fractional byte value ${quote(quantity)} is invalid, must be an integer`
}

/** Warnings about variables that are set twice, unless the new value uses the old one. */
function environmentWarnings({ env = [] }: Container, path: FieldPath): readonly string[] {
  if (env.length < 2) return []
  const warnings: string[] = []
  const seen = new Set<string>()
  env.forEach((variable, i) => {
    if (seen.has(variable.name) && !usesEarlier(variable)) {
      const what = `hides previous definition of ${quote(variable.name)}, which may be dropped when using apply`
      warnings.push(`${path.child('env').index(i)}: ${what}`)
    }
    seen.add(variable.name)
  })
  return warnings
}

function usesEarlier({ name, value = '', valueFrom }: EnvVar): boolean {
  const earlier = `$(${name})`
  return !valueFrom && value !== earlier && value.includes(earlier)
}

interface Place {
  readonly port: ContainerPort
  /** The path of its container. */
  readonly path: FieldPath
  readonly index: number
}

/** Warnings about the ports of all containers together; `path` leads to the spec. */
export function portWarnings(spec: PodSpec, path: FieldPath): readonly string[] {
  const warnings: string[] = []
  const places = new Map<number, Place[]>()
  visitContainers(spec, path, ({ ports }, at) => {
    ports?.forEach((port, index) => {
      const place: Place = { port, path: at, index }
      if (port.hostIP && !port.hostPort)
        warnings.push(`${pathOf(place)}: hostIP set without hostPort: ${portText(port)}`)
      const others = places.get(port.containerPort)
      if (!others) places.set(port.containerPort, [place])
      else {
        for (const other of others) warnings.push(...clashWarnings(place, other))
        others.push(place)
      }
    })
  })
  return warnings
}

function pathOf({ path, index }: Place): FieldPath {
  return path.child('ports').index(index)
}

function clashWarnings(place: Place, other: Place): readonly string[] {
  const relation = clash(place.port, other.port)
  return relation === undefined ? [] : [`${pathOf(place)}: ${relation} port definition with ${pathOf(other)}`]
}

/** The conflict between two ports with the same number, if any. */
function clash(one: ContainerPort, other: ContainerPort): string | undefined {
  if (one.protocol !== other.protocol) return undefined
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
