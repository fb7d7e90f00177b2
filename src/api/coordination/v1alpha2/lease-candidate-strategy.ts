import { declareStrategy, sameForm } from '../../../schema/strategy.js'
import { LeaseCandidate } from './lease-candidate.js'

export const leaseCandidateStrategy = declareStrategy<LeaseCandidate>(LeaseCandidate, {
  stored: sameForm('coordination/v1beta1.LeaseCandidate'),
})
