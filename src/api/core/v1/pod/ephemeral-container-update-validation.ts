import * as field from '../../../../schema/field-errors.js'
import { FieldPath, fieldPath } from '../../../../schema/field-path.js'
import { quote } from '../../../../schema/quote.js'
import { isSame } from '../../../validation/immutability.js'
import type { Pod } from '../pod.js'
import { mirrorKey } from './annotation-validation.js'

/** Nobody reads what is wrong with the rest of a pod that can have no such container at all. */
export function validateNoMirror({ metadata }: Pod): readonly field.FieldError[] {
  if (metadata.annotations?.[mirrorKey] === undefined) return field.none
  return [field.forbidden(FieldPath.none.child(''), 'static pods do not support ephemeral containers')]
}

/** Containers for debugging come and stay: one that was added cannot change any more. */
export function validateEphemeralContainersUpdate({ spec }: Pod, old: Pod): readonly field.FieldError[] {
  const path = fieldPath('spec', 'ephemeralContainers')
  return (old.spec.ephemeralContainers ?? []).flatMap((before) => {
    const after = spec.ephemeralContainers?.findLast(({ name }) => name === before.name)
    if (after && isSame(after, before)) return []
    const what = after ? 'changed' : 'removed\n'
    return [field.forbidden(path, `existing ephemeral containers ${quote(before.name)} may not be ${what}`)]
  })
}
