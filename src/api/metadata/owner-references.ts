import * as field from '../../schema/field-errors.js'
import type { FieldPath } from '../../schema/field-path.js'
import type { OwnerReference } from '../meta/v1/object-meta.js'
import { isSame } from '../validation/immutability.js'

/** Validates the owner references of an object. Errors of single references have the path of the list. */
export function validateOwnerReferences(
  references: readonly OwnerReference[] | undefined,
  path: FieldPath,
): readonly field.FieldError[] {
  const errors: field.FieldError[] = []
  let controller = ''
  for (const reference of references ?? []) {
    errors.push(...validateOwnerReference(reference, path))
    if (!reference.controller) continue
    const name = `${reference.kind}/${reference.name}`
    if (controller !== '') errors.push(secondController(references!, path, [controller, name]))
    else controller = name
  }
  return errors
}

function secondController(
  references: readonly OwnerReference[],
  path: FieldPath,
  [first, second]: readonly [string, string],
): field.FieldError {
  const message = `Only one reference can have Controller set to true. Found "true" in references for ${first} and ${second}`
  return field.invalid(path, references.map(shown), message)
}

function validateOwnerReference(reference: OwnerReference, path: FieldPath): readonly field.FieldError[] {
  const { apiVersion, kind, name, uid } = reference
  const errors: field.FieldError[] = []
  if (versionOf(apiVersion) === '')
    errors.push(field.invalid(path.child('apiVersion'), apiVersion, 'version must not be empty'))
  if (kind === '') errors.push(field.invalid(path.child('kind'), kind, 'must not be empty'))
  if (name === '') errors.push(field.invalid(path.child('name'), name, 'must not be empty'))
  if (uid === '') errors.push(field.invalid(path.child('uid'), uid, 'must not be empty'))
  if (apiVersion === 'v1' && kind === 'Event')
    errors.push(field.invalid(path, shown(reference), '/v1, Kind=Event is disallowed from being an owner'))
  return errors
}

/** The version in an `apiVersion`; empty if there is none or it is malformed. */
function versionOf(apiVersion: string): string {
  const slash = apiVersion.indexOf('/')
  return apiVersion.includes('/', slash + 1) ? '' : apiVersion.slice(slash + 1)
}

/** A reference with its fields in upstream's order, for messages. */
function shown({ apiVersion, kind, name, uid, controller, blockOwnerDeletion }: OwnerReference): OwnerReference {
  return {
    apiVersion,
    kind,
    name,
    uid,
    ...(controller !== undefined && { controller }),
    ...(blockOwnerDeletion !== undefined && { blockOwnerDeletion }),
  }
}

/** Returns the distinct references, and the uids of the duplicates. */
export function distinctOwnerReferences(references: readonly OwnerReference[]): {
  readonly references: readonly OwnerReference[]
  readonly duplicates: readonly string[]
} {
  const distinct: OwnerReference[] = []
  const duplicates: string[] = []
  for (const reference of references)
    if (distinct.some((other) => other.uid === reference.uid && isSame(other, reference)))
      duplicates.push(reference.uid)
    else distinct.push(reference)
  return duplicates.length === 0 ? { references, duplicates } : { references: distinct, duplicates }
}

/** The warning about duplicates from the client or from admission. */
export function duplicateOwnersWarning(uids: readonly string[], isAfterAdmission = false): string {
  const when = isAfterAdmission ? ' after mutating admission happens' : ''
  return `.metadata.ownerReferences contains duplicate entries${when}; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: ${uids.join(', ')}`
}
