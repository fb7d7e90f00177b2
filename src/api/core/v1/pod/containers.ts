import type { FieldPath } from '../../../../schema/field-path.js'
import type { Container } from '../container.js'
import type { PodSpec } from './spec.js'

/** Visits every container of a pod in the order of their start: init containers, main containers, ephemeral containers. */
export function visitContainers(
  { initContainers, containers, ephemeralContainers }: PodSpec,
  path: FieldPath,
  visit: (container: Container, path: FieldPath) => void,
): void {
  visitList(initContainers, path, 'initContainers', visit)
  visitList(containers, path, 'containers', visit)
  visitList(ephemeralContainers, path, 'ephemeralContainers', visit)
}

function visitList(
  list: readonly Container[] | undefined,
  path: FieldPath,
  name: string,
  visit: (container: Container, path: FieldPath) => void,
): void {
  if (!list || list.length === 0) return
  const at = path.child(name)
  for (const [i, container] of list.entries()) visit(container, at.index(i))
}
