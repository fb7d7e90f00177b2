import { fieldPath } from '../../../schema/field-path.js'
import { declareStrategy } from '../../../schema/strategy.js'
import { validateNotNegative } from '../../validation/numbers.js'
import { Scale } from './scale.js'

/** Validates the number of replicas of a scale, for all scalable kinds. */
export const scaleStrategy = declareStrategy<Scale>(Scale, {
  validate: ({ spec }) => validateNotNegative(spec.replicas, fieldPath('spec', 'replicas')),
})
