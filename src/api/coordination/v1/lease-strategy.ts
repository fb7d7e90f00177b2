import * as field from '../../../schema/field-errors.js'
import { type FieldPath, fieldPath } from '../../../schema/field-path.js'
import { notNegative } from '../../../schema/identifiers.js'
import type { Draft } from '../../../schema/infer.js'
import { labelKey } from '../../../schema/label-names.js'
import { declareTable } from '../../../schema/schema.js'
import { declareStrategy } from '../../../schema/strategy.js'
import { Lease, type LeaseSpec } from './lease.js'

const specPath = fieldPath('spec')

export const leaseTable = declareTable<Lease>(Lease, { Holder: ({ spec }) => spec.holderIdentity ?? '' })

/** A hot path, because leases are renewed constantly: validating a valid lease allocates nothing. */
export const leaseStrategy = declareStrategy<Lease>(Lease, {
  plainFinalizers: true,
  createdByUpdate: true,
  updatedUnconditionally: false,
  prepareCreate: (draft) => dropElectionFields(draft, undefined),
  prepareUpdate: (draft, old) => dropElectionFields(draft, old.spec),
  validate: ({ spec }) => validateLeaseSpec(spec),
})

/** Drops the fields of coordinated leader election, a disabled feature, unless the old lease has them. */
function dropElectionFields(draft: Draft<Lease>, old: LeaseSpec | undefined): void {
  for (const name of ['strategy', 'preferredHolder'] as const) {
    if (draft.spec[name] === undefined || old?.[name] !== undefined) continue
    const { [name]: _dropped, ...rest } = draft.spec
    draft.spec = rest
  }
}

function validateLeaseSpec(spec: LeaseSpec): readonly field.FieldError[] {
  const { leaseDurationSeconds = 1, leaseTransitions = 0 } = spec
  if (leaseDurationSeconds > 0 && leaseTransitions >= 0 && !spec.strategy && !spec.preferredHolder) return field.none
  const errors: field.FieldError[] = []
  if (leaseDurationSeconds <= 0)
    errors.push(field.invalid(specPath.child('leaseDurationSeconds'), leaseDurationSeconds, 'must be greater than 0'))
  if (leaseTransitions < 0)
    errors.push(field.invalid(specPath.child('leaseTransitions'), leaseTransitions, notNegative))
  if (spec.strategy !== undefined) errors.push(...validateLeaseStrategy(spec.strategy, specPath.child('strategy')))
  if (spec.preferredHolder && !spec.strategy)
    errors.push(field.forbidden(specPath.child('preferredHolder'), 'may only be specified if `strategy` is defined'))
  return errors
}

/** Validates an election strategy: a name of Kubernetes, or one with a domain. As upstream does, errors have a child path. */
export function validateLeaseStrategy(name: string, path: FieldPath): readonly field.FieldError[] {
  if (name.includes('/')) return field.invalidForEach(path.child('strategy'), name, labelKey(name))
  if (name === 'OldestEmulationVersion') return field.none
  return [field.notSupported(path.child('strategy'), name, ['OldestEmulationVersion'])]
}
