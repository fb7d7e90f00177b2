import { fieldPath } from '../../../schema/field-path.js'
import { declareStrategy } from '../../../schema/strategy.js'
import { validateNotNegative } from '../../validation/numbers.js'
import { Scale } from './scale.js'

/** Whatever is scaled, only the number of replicas is asked for. */
export const scaleStrategy = declareStrategy<Scale>(Scale, {
  validate: ({ spec }) => validateNotNegative(spec.replicas, fieldPath('spec', 'replicas')),
})
