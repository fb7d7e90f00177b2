import type { SuccessPolicy, SuccessPolicyRule } from '../../api/batch/v1/job/pod-failure-policy.js'
import { IndexSet } from './index-set.js'

/** The message for the condition of the job if a rule is met; undefined if none is. */
export function matchSuccessPolicy(
  policy: SuccessPolicy | undefined,
  succeeded: IndexSet,
  completions: number,
): string | undefined {
  if (!policy || succeeded.size === 0) return undefined
  const position = policy.rules.findIndex((rule) => isMet(rule, succeeded, completions))
  return position < 0 ? undefined : `Matched rules at index ${position}`
}

function isMet(
  { succeededIndexes, succeededCount }: SuccessPolicyRule,
  succeeded: IndexSet,
  completions: number,
): boolean {
  if (succeededIndexes === undefined) return succeededCount !== undefined && succeeded.size >= succeededCount
  const wanted = IndexSet.parse(succeededIndexes, completions)
  if (wanted.size === 0) return false
  return wanted.overlap(succeeded) >= Math.min(wanted.size, succeededCount ?? wanted.size)
}
