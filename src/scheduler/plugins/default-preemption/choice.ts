import type { PreemptionCandidate } from '../../extenders/extender.js'
import { startTime } from './importance.js'

/** What is added to each priority, so that every victim makes a sum greater, whatever its priority. */
const leastPriority = 2 ** 31

/** The less of it the better; what comes first decides. */
const costs: readonly ((candidate: PreemptionCandidate) => number)[] = [
  ({ violations }) => violations,
  ({ victims }) => victims[0]!.priority,
  ({ victims }) => victims.reduce((sum, { priority }) => sum + priority + leastPriority, 0),
  ({ victims }) => victims.length,
]

/** Where the least harm is done. Among equals, where the important ones have not run for long; then the first. */
export function selectCandidate(candidates: readonly PreemptionCandidate[]): PreemptionCandidate | undefined {
  let rest = candidates
  for (const cost of costs) {
    if (rest.length < 2) return rest[0]
    const values = rest.map(cost)
    const least = Math.min(...values)
    rest = rest.filter((_, i) => values[i] === least)
  }
  return rest.reduce<PreemptionCandidate | undefined>(
    (best, each) => (best && runSince(best) >= runSince(each) ? best : each),
    undefined,
  )
}

/** When the first of the most important victims began to run. */
function runSince({ victims }: PreemptionCandidate): string {
  const { priority } = victims[0]!
  let earliest = startTime(victims[0]!)
  for (const victim of victims)
    if (victim.priority === priority && startTime(victim) < earliest) earliest = startTime(victim)
  return earliest
}
