import type { Verdict } from '../status/situation.js'

export function refusal(reason: string, message: string): Verdict {
  return { phase: 'Failed', reason, message, isRefusal: true }
}
