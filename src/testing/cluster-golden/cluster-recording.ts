import { readFileSync } from 'node:fs'
import type { JsonValue } from '../../schema/declaration.js'
import type { Scenario } from './scenario.js'
import { node } from './scenarios/node.js'
import { scheduling } from './scenarios/scheduling.js'
import { workloads } from './scenarios/workloads.js'

/** What was seen of a v1.36.4 cluster: by the name of the record. */
export type RecordedScenario = Readonly<Record<string, JsonValue>>

export interface Recording {
  /** Of the file. */
  readonly name: string
  readonly scenarios: readonly Scenario[]
  readonly recorded: (scenario: string) => RecordedScenario
}

export const recordings: readonly Recording[] = [
  recording('10-workloads', workloads),
  recording('20-scheduling', scheduling),
  recording('30-node', node),
]

function recording(name: string, scenarios: readonly Scenario[]): Recording {
  let content: Readonly<Record<string, RecordedScenario>> | undefined
  const recorded = (scenario: string) => {
    content ??= JSON.parse(readFileSync(`src/testing/cluster-golden/recordings/${name}.json`, 'utf8'))
    return content?.[scenario] ?? {}
  }
  return { name, scenarios, recorded }
}
