import * as field from '../../../../schema/field-errors.js'
import { FieldError } from '../../../../schema/field-errors.js'
import type { FieldPath } from '../../../../schema/field-path.js'
import { dnsLabel } from '../../../../schema/names.js'
import { compareText } from '../../../../schema/text-order.js'
import type { ResourceClaim } from '../resource-requirements.js'

/** What is wrong with the claims that a container uses: of the pod's, each one whole, or distinct requests of it. */
export function validateResourceClaims(
  claims: readonly ResourceClaim[] | undefined,
  path: FieldPath,
  known: ReadonlySet<string>,
): readonly FieldError[] {
  if (!claims) return field.none
  const errors: FieldError[] = []
  const used = new Set<string>()
  for (const [i, claim] of claims.entries()) {
    const at = path.index(i)
    if (claim.name === '') errors.push(field.required(at))
    else errors.push(...validateUse(claim, at, used), ...validateKnown(claim.name, at, known))
  }
  return errors
}

/** `used` has the names of claims that are used as a whole, and `name/request` of the others. */
function validateUse({ name, request = '' }: ResourceClaim, path: FieldPath, used: Set<string>): readonly FieldError[] {
  if (used.has(name)) return [field.duplicate(path, name)]
  const key = request === '' ? name : `${name}/${request}`
  const errors: FieldError[] = []
  if (request !== '') errors.push(...field.invalidForEach(path.child('request'), request, dnsLabel(request)))
  if (used.has(key)) errors.push(field.duplicate(path, key))
  else if (request === '')
    for (const other of used) if (other.startsWith(`${name}/`)) errors.push(field.duplicate(path, name))
  used.add(key)
  return errors
}

function validateKnown(name: string, path: FieldPath, known: ReadonlySet<string>): readonly FieldError[] {
  if (known.has(name)) return field.none
  const names = known.size === 0 ? ' which is empty' : `: ${[...known].sort(compareText).join(', ')}`
  return [
    new FieldError('FieldValueNotFound', path, name, `must be one of the names in pod.spec.resourceClaims${names}`),
  ]
}
