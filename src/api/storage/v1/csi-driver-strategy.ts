import type { FieldError } from '../../../schema/field-errors.js'
import * as field from '../../../schema/field-errors.js'
import { type FieldPath, fieldPath } from '../../../schema/field-path.js'
import type { Draft } from '../../../schema/infer.js'
import { declareDefaults, declareTable } from '../../../schema/schema.js'
import { declareStrategy } from '../../../schema/strategy.js'
import { checkTokenExpiration } from '../../core/v1/volume/projection-validation.js'
import { validateOptionalChoice } from '../../validation/choices.js'
import { isSame, validateImmutable } from '../../validation/immutability.js'
import { CSIDriver, CSIDriverSpec, type TokenRequest } from './csi-driver.js'

const specPath = fieldPath('spec')

export const csiDriverStrategy = declareStrategy<CSIDriver>(CSIDriver, {
  prepareCreate: dropUnserved,
  prepareUpdate(draft, old) {
    dropUnserved(draft)
    // Unlike other kinds, a new object has no generation; the first change sets it to 1.
    if (!isSame(draft.spec, old.spec)) draft.metadata.generation = (old.metadata.generation ?? 0) + 1
  },
  validate: ({ spec }) => specErrors(spec),
  validateUpdate: ({ spec }, old) => [...specErrors(spec), ...changeErrors(spec, old.spec)],
  updatedUnconditionally: false,
})

export const csiDriverSpecDefaults = declareDefaults<CSIDriverSpec>(CSIDriverSpec, (draft) => {
  draft.attachRequired ??= true
  draft.podInfoOnMount ??= false
  draft.storageCapacity ??= false
  draft.fsGroupPolicy ??= 'ReadWriteOnceWithFSType'
  if (!draft.volumeLifecycleModes?.length) draft.volumeLifecycleModes = ['Persistent']
  draft.requiresRepublish ??= false
  draft.seLinuxMount ??= false
})

export const csiDriverTable = declareTable<CSIDriver>(CSIDriver, {
  AttachRequired: ({ spec }) => spec.attachRequired ?? true,
  PodInfoOnMount: ({ spec }) => spec.podInfoOnMount ?? false,
  StorageCapacity: ({ spec }) => spec.storageCapacity ?? false,
  TokenRequests: ({ spec }) => spec.tokenRequests?.map(({ audience }) => audience).join(',') ?? '<unset>',
  RequiresRepublish: ({ spec }) => spec.requiresRepublish ?? false,
  Modes: ({ spec }) => spec.volumeLifecycleModes?.join(',') || '<none>',
})

/** Silently drops a field of a scheduler feature that this cluster does not have. */
function dropUnserved({ spec }: Draft<CSIDriver>): void {
  delete spec.preventPodSchedulingIfMissing
}

/** Sorted, as in messages. */
const fsGroupPolicies = ['File', 'None', 'ReadWriteOnceWithFSType']

function specErrors(spec: CSIDriverSpec): readonly FieldError[] {
  const errors: FieldError[] = []
  const { fsGroupPolicy, nodeAllocatableUpdatePeriodSeconds: period } = spec
  checkGiven(spec, errors)
  errors.push(...validateOptionalChoice(fsGroupPolicy, specPath.child('fsGroupPolicy'), fsGroupPolicies))
  checkTokenRequests(spec.tokenRequests, specPath.child('tokenRequests'), errors)
  for (const mode of spec.volumeLifecycleModes ?? [])
    errors.push(...validateOptionalChoice(mode, specPath.child('volumeLifecycleModes'), ['Persistent', 'Ephemeral']))
  if (spec.seLinuxMount === undefined) errors.push(field.required(specPath.child('seLinuxMount')))
  if (period !== undefined && period < 10)
    errors.push(
      field.invalid(
        specPath.child('nodeAllocatableUpdatePeriodSeconds'),
        period,
        'must be greater than or equal to 10 seconds',
      ),
    )
  checkTokenPlace(spec, specPath.child('serviceAccountTokenInSecrets'), errors)
  return errors
}

/** Requires fields that have defaults. */
function checkGiven(spec: CSIDriverSpec, errors: FieldError[]): void {
  if (spec.attachRequired === undefined) errors.push(field.required(attachRequiredPath))
  if (spec.podInfoOnMount === undefined) errors.push(field.required(specPath.child('podInfoOnMount')))
  if (spec.storageCapacity === undefined) errors.push(field.required(specPath.child('storageCapacity')))
}

/** Upstream misspells this path. */
const attachRequiredPath = specPath.child('attachedRequired')

function checkTokenRequests(
  requests: readonly TokenRequest[] | undefined,
  path: FieldPath,
  errors: FieldError[],
): void {
  const audiences = new Set<string>()
  requests?.forEach(({ audience, expirationSeconds }, i) => {
    const place = path.index(i)
    if (audiences.has(audience)) errors.push(field.duplicate(place.child('audience'), audience))
    else if (expirationSeconds !== undefined)
      checkTokenExpiration(expirationSeconds, place.child('expirationSeconds'), errors)
    audiences.add(audience)
  })
}

function checkTokenPlace(
  { serviceAccountTokenInSecrets: place, tokenRequests }: CSIDriverSpec,
  path: FieldPath,
  errors: FieldError[],
): void {
  if (place !== undefined && !tokenRequests?.length)
    errors.push(field.invalid(path, place, 'serviceAccountTokenInSecrets is set but no tokenRequests are specified'))
}

function changeErrors(spec: CSIDriverSpec, old: CSIDriverSpec): readonly FieldError[] {
  const { attachRequired, volumeLifecycleModes } = old
  return [
    ...validateImmutable(spec.attachRequired, attachRequired, attachRequiredPath),
    ...validateImmutable(spec.volumeLifecycleModes, volumeLifecycleModes, specPath.child('volumeLifecycleModes')),
  ]
}
