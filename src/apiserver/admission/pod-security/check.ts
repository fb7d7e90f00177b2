import type { Container } from '../../../api/core/v1/container.js'
import { visitContainers } from '../../../api/core/v1/pod/containers.js'
import type { PodSpec } from '../../../api/core/v1/pod/spec.js'
import type { ObjectMeta } from '../../../api/meta/v1/object-meta.js'
import { FieldPath } from '../../../schema/field-path.js'
import { quote } from '../../../schema/quote.js'

/** A pod, or a template of pods. */
export interface CheckedPod {
  readonly metadata: ObjectMeta
  readonly spec: PodSpec
}

/** A pod's violation of one check. */
export interface Violation {
  /** A short reason. */
  readonly reason: string
  /** The fields and containers, for messages about a single pod. */
  readonly detail: string
}

export type CheckPod = (pod: CheckedPod) => Violation | undefined

/** One check of the pod security standards. */
export interface PodSecurityCheck {
  readonly id: string
  /** The minor versions that introduced or changed the check, in rising order. */
  readonly since: readonly (readonly [minor: number, check: CheckPod])[]
  /** The check of the stricter level that includes this one. */
  readonly replacedBy?: string
}

export function allContainers(spec: PodSpec): readonly Container[] {
  const all: Container[] = []
  visitContainers(spec, FieldPath.none, (container) => all.push(container))
  return all
}

export function namesOfContainers(spec: PodSpec, isBad: (container: Container) => boolean): readonly string[] {
  return allContainers(spec)
    .filter(isBad)
    .map(({ name }) => name)
}

/** `container "a"`, `containers "a", "b"`. */
export function containersText(names: readonly string[]): string {
  return `${plural(names, 'container', 'containers')} ${quotedList(names)}`
}

export function plural({ length }: readonly unknown[], one: string, many: string): string {
  return length === 1 ? one : many
}

export function quotedList(names: readonly string[]): string {
  return names.map(quote).join(', ')
}

export function sortedDistinct(values: Iterable<string>): readonly string[] {
  return [...new Set(values)].sort()
}

/** Returns `pod and containers "a", "b"` for those that set a field; empty if none does. */
export function settersText(isPod: boolean, containers: readonly string[]): string {
  return [...(isPod ? ['pod'] : []), ...(containers.length > 0 ? [containersText(containers)] : [])].join(' and ')
}
