import { sameForm } from '../../../schema/stored-version.js'
import { strategy } from '../../../schema/strategy.js'
import { LeaseCandidate } from './lease-candidate.js'

export const leaseCandidateStrategy = strategy<LeaseCandidate>(LeaseCandidate, {
  stored: sameForm('coordination/v1beta1.LeaseCandidate'),
})
