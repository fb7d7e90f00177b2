import * as field from '../../../../schema/field-errors.js'
import { FieldPath, fieldPath } from '../../../../schema/field-path.js'
import { isSame } from '../../../validation/immutability.js'
import type { Container } from '../container.js'
import type { Pod } from '../pod.js'
import { mirrorKey } from './annotation-validation.js'
import { qosClassOf, saysSomething } from './qos.js'
import { isSidecar } from './resources.js'
import type { PodSpec } from './spec.js'
import { taken } from './update-validation.js'

const specPath = fieldPath('spec')
const others = 'only cpu and memory resources are mutable'

/** Rejects a resize of a pod that cannot be resized at all. Then no other errors are reported. */
export function validateResizable({ spec }: Pod, { spec: before, metadata }: Pod): readonly field.FieldError[] {
  const refused = (why: string) => [field.forbidden(FieldPath.none.child(''), why)]
  if ([spec, before].some(({ resources }) => resources && saysSomething(resources)))
    return refused('pods with pod-level resources cannot be resized')
  if (metadata.annotations?.[mirrorKey] !== undefined) return refused('static pods cannot be resized')
  return before.os?.name === 'windows' ? refused('windows pods cannot be resized') : field.none
}

/** Validates new resources for the containers of a running pod. All other fields were restored from the old pod before. */
export function validateResize(pod: Pod, old: Pod): readonly field.FieldError[] {
  const errors: field.FieldError[] = []
  if ((old.status.qosClass ?? qosClassOf(old.spec)) !== qosClassOf(pod.spec)) {
    const why = 'Pod QOS Class may not change as a result of resizing'
    errors.push(field.invalid(specPath, pod.status.qosClass ?? '', why))
  }
  if (!nodeCanResize(old)) errors.push(field.forbidden(specPath, 'Pod running on node without support for resize'))
  const structure = validateStructure(pod.spec, old.spec)
  if (structure.length > 0) return [...errors, ...structure]
  errors.push(...validateInitContainers(pod.spec, old.spec), ...validateContainers(pod.spec, old.spec))
  errors.push(...validateOtherResources(pod.spec, old.spec))
  return errors
}

/** Whether the node supports resize: it then reports the resources of running containers. */
function nodeCanResize({ status }: Pod): boolean {
  const running = status.containerStatuses?.find(({ state }) => state?.running !== undefined)
  return running === undefined || running.resources !== undefined
}

function validateStructure(spec: PodSpec, old: PodSpec): readonly field.FieldError[] {
  return (['initContainers', 'containers'] as const).flatMap((list) => {
    const [now, before] = [spec[list] ?? [], old[list] ?? []]
    const at = specPath.child(list)
    if (now.length !== before.length) return [field.forbidden(at, `${list} may not be added or removed on resize`)]
    return now.flatMap(({ name }, i) =>
      name === before[i]!.name
        ? []
        : [field.forbidden(at.index(i).child('name'), `${list} may not be renamed or reordered on resize`)],
    )
  })
}

/** Of the init containers only sidecars can be resized, because the others have ended. */
function validateInitContainers(spec: PodSpec, old: PodSpec): readonly field.FieldError[] {
  return (old.initContainers ?? []).flatMap((before, i) => {
    const at = specPath.child('initContainers').index(i).child('resources')
    return isSidecar(before) ? validateRemovals(spec.initContainers![i]!, before, at) : []
  })
}

function validateContainers(spec: PodSpec, old: PodSpec): readonly field.FieldError[] {
  return (old.containers ?? []).flatMap((before, i) =>
    validateRemovals(spec.containers[i]!, before, specPath.child('containers').index(i).child('resources')),
  )
}

function validateRemovals(container: Container, old: Container, path: FieldPath): readonly field.FieldError[] {
  return (['requests', 'limits'] as const).flatMap((list) => {
    const now = container.resources?.[list] ?? {}
    const isKept = Object.keys(old.resources?.[list] ?? {}).every((name) => name in now)
    return isKept ? [] : [field.forbidden(path.child(list), `resource ${list} cannot be removed`)]
  })
}

function validateOtherResources(spec: PodSpec, old: PodSpec): readonly field.FieldError[] {
  return [
    ...(spec.containers ?? []).flatMap((container, i) =>
      isSameButForSize(container, old.containers[i]!) ? [] : [field.forbidden(specPath, others)],
    ),
    ...(spec.initContainers ?? []).flatMap((container, i) => {
      const before = old.initContainers![i]!
      if (!isSidecar(container))
        return isSame(container, before)
          ? []
          : [field.forbidden(specPath, 'resources for non-sidecar init containers are immutable')]
      return isSameButForSize(container, before)
        ? []
        : [field.forbidden(specPath, 'only cpu and memory resources for sidecar containers are mutable')]
    }),
  ]
}

function isSameButForSize(container: Container, old: Container): boolean {
  return isSame(withoutSize(container), withoutSize(old))
}

function withoutSize(container: Container): Container {
  const { cpu: _cpu, memory: _memory, ...limits } = container.resources?.limits ?? {}
  const { cpu: _requestedCpu, memory: _requestedMemory, ...requests } = container.resources?.requests ?? {}
  return taken(container, { resources: { ...container.resources, limits, requests } })
}
