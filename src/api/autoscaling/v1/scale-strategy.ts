import { fieldPath } from '../../../schema/field-path.js'
import { strategy } from '../../../schema/strategy.js'
import { validateNotNegative } from '../../validation/numbers.js'
import { Scale } from './scale.js'

/** Whatever is scaled, only the number of replicas is asked for. */
export const scaleStrategy = strategy<Scale>(Scale, {
  validate: ({ spec }) => validateNotNegative(spec.replicas, fieldPath('spec', 'replicas')),
})
