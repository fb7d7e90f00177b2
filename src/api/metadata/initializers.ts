import * as field from '../../schema/field-errors.js'
import type { FieldPath } from '../../schema/field-path.js'
import { sameJson } from '../../schema/json-value.js'
import { fullyQualifiedName } from '../../schema/names.js'
import { asJson, type KubeObject } from '../kube-object.js'
import type { Initializers } from '../meta/v1/initializers.js'
import type { Status } from '../meta/v1/status.js'
import { immutable } from '../validation/immutability.js'

/** Whether an object is initialized and so visible to all clients. */
export function isInitialized({ metadata }: Pick<KubeObject, 'metadata'>): boolean {
  return metadata.initializers === undefined
}

/** Why the initialization of an object failed; undefined if it did not, or not yet. */
export function initializationFailure({ metadata }: Pick<KubeObject, 'metadata'>): Status | undefined {
  return metadata.initializers?.result
}

/** Whether there is neither a pending initializer nor a failure. Such a value counts as absent. */
export function isEmptyInitializers(initializers: Initializers | undefined): boolean {
  return initializers !== undefined && pendingNames(initializers).length === 0 && initializers.result === undefined
}

/** The names of pending initializers. Clients may omit the list. */
export function pendingNames(initializers: Initializers | undefined): readonly string[] {
  return (initializers?.pending ?? []).map(({ name }) => name)
}

export function validateInitializers(initializers: Initializers, path: FieldPath): readonly field.FieldError[] {
  const pending = path.child('pending')
  return [
    ...pendingNames(initializers).flatMap((name, i) => fullyQualifiedName(pending.index(i).child('name'), name)),
    ...validateResult(initializers.result, path.child('result')),
    ...validateNotEmpty(initializers, pending),
  ]
}

function validateNotEmpty(initializers: Initializers, path: FieldPath): readonly field.FieldError[] {
  return isEmptyInitializers(initializers)
    ? [field.invalid(path, null, 'must be non-empty when result is not set')]
    : field.none
}

function validateResult(result: Status | undefined, path: FieldPath): readonly field.FieldError[] {
  if (result === undefined || result.status === 'Failure') return field.none
  return [field.invalid(path.child('status'), result.status ?? '', "must be 'Failure'")]
}

/** Initializers run one after the other: each removes its own name from the front. A failure is final. */
export function validateInitializersUpdate(
  initializers: Initializers | undefined,
  old: Initializers | undefined,
  path: FieldPath,
): readonly field.FieldError[] {
  if (old === undefined)
    return initializers === undefined
      ? field.none
      : [field.invalid(path, null, 'field is immutable once initialization has completed')]
  return [
    ...(initializers ? validateNotEmpty(initializers, path.child('pending')) : field.none),
    ...validateTurn(pendingNames(initializers), pendingNames(old), path.child('pending')),
    ...validateResultUpdate(initializers?.result, old.result, path.child('result')),
  ]
}

function validateTurn(names: readonly string[], old: readonly string[], path: FieldPath): readonly field.FieldError[] {
  if (sameJson(names, old) || sameJson(names, old.slice(1))) return field.none
  return [field.invalid(path, names, 'only the first pending initializer may be removed')]
}

function validateResultUpdate(
  result: Status | undefined,
  old: Status | undefined,
  path: FieldPath,
): readonly field.FieldError[] {
  if (old === undefined) return validateResult(result, path)
  return result !== undefined && sameJson(asJson(result), asJson(old))
    ? field.none
    : [field.invalid(path, result, immutable)]
}
