import { readFileSync, writeFileSync } from 'node:fs'
import type { StepResult } from './replay.js'

const file = 'src/testing/golden/known-differences.json'

/** Where the server is known to answer otherwise than what was recorded: recording → scenario → step → the reason. */
export type KnownDifferences = Record<string, Record<string, Record<string, string>>>

export function readKnownDifferences(): KnownDifferences {
  return JSON.parse(readFileSync(file, 'utf8')) as KnownDifferences
}

/**
 * Brings the list up to date with what was seen: what is no longer different goes, what is known keeps its reason, and what is
 * new is written down with what differs, for somebody to say why.
 */
export function writeKnownDifferences(seen: ReadonlyMap<string, readonly StepResult[]>): void {
  const known = readKnownDifferences()
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
