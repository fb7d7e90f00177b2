import { baselineChecks } from './baseline-checks.js'
import type { CheckedPod, CheckPod, PodSecurityCheck, Violation } from './check.js'
import type { LevelVersion, PodSecurityLevel } from './policy.js'
import { restrictedChecks } from './restricted-checks.js'

/** The newest minor version that changed a check. Later versions have the same checks. */
const newestMinor = Math.max(
  ...[...baselineChecks, ...restrictedChecks].flatMap(({ since }) => since.map(([minor]) => minor)),
)

/** Checks pods against a level of the pod security standards, in any of its versions. */
export class PodSecurityStandards {
  readonly #checks = new Map<string, readonly CheckPod[]>()

  /** Returns every violation of a level by a pod. */
  violations({ level, minor = newestMinor }: LevelVersion, pod: CheckedPod): readonly Violation[] {
    return this.#checksOf(level, Math.min(minor, newestMinor)).flatMap((check) => check(pod) ?? [])
  }

  #checksOf(level: PodSecurityLevel, minor: number): readonly CheckPod[] {
    if (level === 'privileged') return []
    const key = `${level}:${minor}`
    let checks = this.#checks.get(key)
    if (!checks) {
      checks = level === 'baseline' ? inForce(baselineChecks, minor) : restrictedInForce(minor)
      this.#checks.set(key, checks)
    }
    return checks
  }
}

function restrictedInForce(minor: number): readonly CheckPod[] {
  const restricted = new Set(restrictedChecks.filter(({ since }) => since[0]![0] <= minor).map(({ id }) => id))
  const remaining = baselineChecks.filter(({ replacedBy }) => !replacedBy || !restricted.has(replacedBy))
  return [...inForce(remaining, minor), ...inForce(restrictedChecks, minor)]
}

function inForce(checks: readonly PodSecurityCheck[], minor: number): readonly CheckPod[] {
  return checks.flatMap(({ since }) => since.filter(([from]) => from <= minor).slice(-1)).map(([, check]) => check)
}
