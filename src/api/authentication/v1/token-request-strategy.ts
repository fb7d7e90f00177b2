import * as field from '../../../schema/field-errors.js'
import { fieldPath } from '../../../schema/field-path.js'
import { declareStrategy } from '../../../schema/strategy.js'
import { TokenRequest } from './token-request.js'

const path = fieldPath('spec', 'expirationSeconds')

export const tokenRequestStrategy = declareStrategy<TokenRequest>(TokenRequest, {
  validate({ spec }) {
    const seconds = spec.expirationSeconds ?? 0
    if (seconds < 600) return [field.invalid(path, seconds, 'may not specify a duration less than 10 minutes')]
    if (seconds <= 2 ** 32) return field.none
    return [field.invalid(path, seconds, 'may not specify a duration larger than 2^32 seconds')]
  },
})
