import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'

/** Where Proa is known to do otherwise than what was recorded: recording → scenario → step → the reason. */
export type KnownDifferences = Record<string, Record<string, Record<string, string>>>

/** What became of one step of a scenario. */
export interface StepComparison {
  readonly scenario: string
  readonly step: string | number
  /** Empty where all is as it was recorded. */
  readonly differences: readonly string[]
}

export function readKnownDifferences(file: string): KnownDifferences {
  return JSON.parse(readFileSync(file, 'utf8')) as KnownDifferences
}

/**
 * Brings the list up to date with what was seen: what is no longer different goes, what is known keeps its reason, and what is
 * new is written down with what differs, for somebody to say why.
 */
export function writeKnownDifferences(file: string, seen: ReadonlyMap<string, readonly StepComparison[]>): void {
  const known = readKnownDifferences(file)
  for (const [recording, results] of seen) {
    const reasons: Record<string, Record<string, string>> = {}
    for (const { scenario, step, differences } of results) {
      if (differences.length === 0) continue
      reasons[scenario] ??= {}
      reasons[scenario][step] = known[recording]?.[scenario]?.[step] ?? `not looked into: ${differences[0]}`
    }
    known[recording] = reasons
  }
  writeFileSync(file, `${JSON.stringify(known, null, 2)}\n`)
}

/** Throws unless a scenario differs exactly where it is known to. */
export function assertKnownDifferences(
  results: readonly StepComparison[],
  reasons: Readonly<Record<string, string>>,
): void {
  const surprises = results.filter(({ step, differences }) => differences.length > 0 && reasons[step] === undefined)
  assert.deepEqual(surprises, [], 'it differs where it should not')
  const gone = results.filter(({ step, differences }) => differences.length === 0 && reasons[step] !== undefined)
  const steps = gone.map(({ step }) => step)
  assert.deepEqual(steps, [], 'steps that are the same by now: take them out of known-differences.json')
}
