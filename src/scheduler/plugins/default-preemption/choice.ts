import type { Candidate } from '../../extenders/extender.js'
import { startOf } from './importance.js'

/** What is added to each priority, so that every victim makes a sum greater, whatever its priority. */
const leastPriority = 2 ** 31

/** The less of it the better; what comes first decides. */
const costs: readonly ((candidate: Candidate) => number)[] = [
  ({ violations }) => violations,
  ({ victims }) => victims[0]!.priority,
  ({ victims }) => victims.reduce((sum, { priority }) => sum + priority + leastPriority, 0),
  ({ victims }) => victims.length,
]

/** Where the least harm is done. Among equals, where the important ones have not run for long; then the first. */
export function leastHarm(candidates: readonly Candidate[]): Candidate | undefined {
  let rest = candidates
  for (const cost of costs) {
    if (rest.length < 2) return rest[0]
    const values = rest.map(cost)
    const least = Math.min(...values)
    rest = rest.filter((_, i) => values[i] === least)
  }
  return rest.reduce<Candidate | undefined>(
    (best, each) => (best && runSince(best) >= runSince(each) ? best : each),
    undefined,
  )
}

/** When the first of the most important victims began to run. */
function runSince({ victims }: Candidate): string {
  const { priority } = victims[0]!
  let earliest = startOf(victims[0]!)
  for (const victim of victims)
    if (victim.priority === priority && startOf(victim) < earliest) earliest = startOf(victim)
  return earliest
}
