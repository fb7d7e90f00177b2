import * as field from '../../../../schema/field-errors.js'
import { type FieldPath, fieldPath } from '../../../../schema/field-path.js'
import { inRange } from '../../../../schema/identifiers.js'
import { isSame } from '../../../validation/immutability.js'
import type { Container } from '../container.js'
import { validateOnlyAddedTolerations } from '../taint/validation.js'
import { frozenPlacement, validatePlacementUpdate } from './gated-update-validation.js'
import type { PodSpec } from './spec.js'

const specPath = fieldPath('spec')
const longest = 2 ** 31 - 1

/** The fields that upstream's message lists. It is incomplete for pods with scheduling gates. */
const changeable = [
  '`spec.containers[*].image`',
  '`spec.initContainers[*].image`',
  '`spec.activeDeadlineSeconds`',
  '`spec.tolerations` (only additions to existing tolerations)',
  '`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)',
].join(',')

/** Validates an update of a valid pod. Most fields are immutable. */
export function validatePodSpecUpdate(spec: PodSpec, old: PodSpec): readonly field.FieldError[] {
  const errors: field.FieldError[] = []
  for (const name of ['containers', 'initContainers'] as const) {
    if ((spec[name] ?? []).length !== (old[name] ?? []).length)
      return [...errors, field.forbidden(specPath.child(name), 'pod updates may not add or remove containers')]
    errors.push(...validateImages(spec[name] ?? [], specPath.child(name)))
  }
  const deadline = validateDeadline(spec, old, specPath.child('activeDeadlineSeconds'))
  errors.push(...deadline)
  if (deadline.length > 0 && spec.activeDeadlineSeconds !== undefined) return errors
  errors.push(
    ...validateOnlyAddedTolerations(spec.tolerations, old.tolerations, specPath.child('tolerations')),
    ...validateOnlyRemovedGates(spec, old, specPath.child('schedulingGates')),
  )
  if (old.schedulingGates?.length) errors.push(...validatePlacementUpdate(spec, old, specPath))
  if (!isSame(spec, old) && !isSame(withoutChangeable(spec, old), old))
    errors.push(field.forbidden(specPath, `pod updates may not change fields other than ${changeable}`))
  return errors
}

function validateImages(containers: readonly Container[], path: FieldPath): readonly field.FieldError[] {
  return containers.flatMap(({ image = '' }, i) => {
    const at = path.index(i).child('image')
    if (image === '') return [field.required(at)]
    return image === image.trim() ? [] : [field.invalid(at, image, 'must not have leading or trailing whitespace')]
  })
}

/** A deadline can be set and shortened. */
function validateDeadline(
  { activeDeadlineSeconds: deadline }: PodSpec,
  { activeDeadlineSeconds: old }: PodSpec,
  path: FieldPath,
): readonly field.FieldError[] {
  if (deadline === undefined) {
    if (old === undefined) return field.none
    return [field.invalid(path, undefined, 'must not update from a positive integer to nil value')]
  }
  const messages = inRange(deadline, 0, longest)
  if (messages.length > 0) return field.invalidForEach(path, deadline, messages)
  if (old === undefined || deadline <= old) return field.none
  return [field.invalid(path, deadline, 'must be less than or equal to previous value')]
}

function validateOnlyRemovedGates(spec: PodSpec, old: PodSpec, path: FieldPath): readonly field.FieldError[] {
  return (spec.schedulingGates ?? []).flatMap(({ name }, i) =>
    old.schedulingGates?.some((gate) => gate.name === name)
      ? []
      : [
          field.forbidden(
            path.index(i).child('name'),
            `only deletion is allowed, but found new scheduling gate '${name}'`,
          ),
        ],
  )
}

/** The new spec with the mutable fields of the old one. Remaining differences are forbidden. */
function withoutChangeable(spec: PodSpec, old: PodSpec): PodSpec {
  const isRepaired = (old.terminationGracePeriodSeconds ?? 0) < 0 && spec.terminationGracePeriodSeconds === 1
  const placement = old.schedulingGates?.length ? frozenPlacement(spec, old) : {}
  return taken(spec, {
    ...placement,
    containers: withOldImages(spec.containers, old.containers),
    initContainers: withOldImages(spec.initContainers, old.initContainers),
    activeDeadlineSeconds: old.activeDeadlineSeconds,
    schedulingGates: old.schedulingGates,
    tolerations: old.tolerations,
    ...(isRepaired && { terminationGracePeriodSeconds: old.terminationGracePeriodSeconds }),
  })
}

function withOldImages(
  containers: readonly Container[] | undefined,
  old: readonly Container[] | undefined,
): readonly Container[] | undefined {
  return containers?.map((container, i) => taken(container, { image: old?.[i]?.image }))
}

type Replacements<T> = { readonly [K in keyof T]?: T[K] | undefined }

/** `object` with other values for some fields; undefined removes a field. */
export function taken<T extends object>(object: T, replacements: Replacements<T>): T {
  const result: Record<string, unknown> = { ...object, ...replacements }
  for (const name in replacements) if (result[name] === undefined) delete result[name]
  return result as T
}
