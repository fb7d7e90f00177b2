import * as field from '../../../schema/field-errors.js'
import { fieldPath } from '../../../schema/field-path.js'
import { configMapKey } from '../../../schema/identifiers.js'
import { declareStrategy } from '../../../schema/strategy.js'
import { compareSemanticVersions, parseSemanticVersion } from '../../../schema/values/semantic-version.js'
import { immutable } from '../../validation/immutability.js'
import { validateLeaseStrategy } from '../v1/lease-strategy.js'
import { LeaseCandidate, type LeaseCandidateSpec } from './lease-candidate.js'

const specPath = fieldPath('spec')

export const leaseCandidateStrategy = declareStrategy<LeaseCandidate>(LeaseCandidate, {
  plainFinalizers: true,
  name: configMapKey,
  createdByUpdate: true,
  updatedUnconditionally: false,
  validate: ({ spec }) => validateSpec(spec),
  validateUpdate: ({ spec }, { spec: old }) => [
    ...validateSpec(spec),
    ...(spec.leaseName === old.leaseName
      ? []
      : [field.invalid(specPath.child('leaseName'), spec.leaseName, immutable)]),
  ],
  fields: { 'spec.leaseName': ({ spec }) => spec.leaseName },
})

function validateSpec(spec: LeaseCandidateSpec): readonly field.FieldError[] {
  return [
    ...(spec.leaseName === '' ? [field.required(specPath.child('leaseName'))] : []),
    ...validateVersions(spec),
    ...validateStrategy(spec),
  ]
}

function validateVersions({ binaryVersion, emulationVersion = '' }: LeaseCandidateSpec): readonly field.FieldError[] {
  const errors: field.FieldError[] = []
  const emulation = parseSemanticVersion(emulationVersion)
  const binary = parseSemanticVersion(binaryVersion)
  if (emulationVersion !== '' && !emulation)
    errors.push(field.invalid(specPath.child('emulationVersion'), emulationVersion, noVersion))
  if (binaryVersion === '') errors.push(field.required(specPath.child('binaryVersion')))
  else if (!binary) errors.push(field.invalid(specPath.child('binaryVersion'), binaryVersion, noVersion))
  if (binary && emulation && compareSemanticVersions(binary, emulation) < 0)
    errors.push(
      field.invalid(
        specPath.child('binaryVersion'),
        binaryVersion,
        'must be greater than or equal to `emulationVersion`',
      ),
    )
  return errors
}

const noVersion = 'must be a valid semantic version'

function validateStrategy({ strategy: name, emulationVersion = '' }: LeaseCandidateSpec): readonly field.FieldError[] {
  if (!name) return [field.required(specPath.child('strategy'))]
  const errors = [...validateLeaseStrategy(name, specPath.child('strategy'))]
  if (name === 'OldestEmulationVersion' && !parseSemanticVersion(emulationVersion))
    errors.unshift(
      field.required(
        specPath.child('emulationVersion'),
        "must be specified when `strategy` is 'OldestEmulationVersion'",
      ),
    )
  return errors
}
