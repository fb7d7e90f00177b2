import type { PodInfo } from '../../cache/pod-info.js'
import type { Extender, PreemptionCandidate } from '../../extenders/extender.js'

/** Each may leave out nodes and name other victims; the next one is asked about what is left. Rejects if one must be asked and cannot. */
export async function filterCandidatesByExtenders(
  extenders: readonly Extender[],
  pod: PodInfo,
  candidates: readonly PreemptionCandidate[],
): Promise<readonly PreemptionCandidate[]> {
  let rest = candidates
  for (const extender of extenders) {
    if (rest.length === 0) break
    rest = await askOne(extender, pod, rest)
  }
  return rest
}

async function askOne(
  extender: Extender,
  pod: PodInfo,
  candidates: readonly PreemptionCandidate[],
): Promise<readonly PreemptionCandidate[]> {
  try {
    const answer = await extender.preempt!(pod, candidates)
    const odd = answer.find(({ victims }) => victims.length === 0)
    if (!odd) return answer
    if (!extender.isIgnorable) throw new Error(`expected at least one victim pod on node "${odd.node.name}"`)
    return answer.filter(({ victims }) => victims.length > 0)
  } catch (error) {
    if (extender.isIgnorable) return candidates
    throw error
  }
}
