import { readFileSync } from 'node:fs'
import type { JsonValue } from '../../schema/declaration.js'
import type { ClusterScenario } from './scenario.js'
import { nodeScenarios } from './scenarios/node.js'
import { schedulingScenarios } from './scenarios/scheduling.js'
import { workloadScenarios } from './scenarios/workloads.js'

/** What was seen of a v1.36.4 cluster: by the name of the record. */
export type RecordedScenario = Readonly<Record<string, JsonValue>>

export interface ClusterRecording {
  /** Of the file. */
  readonly name: string
  readonly scenarios: readonly ClusterScenario[]
  readonly recorded: (scenario: string) => RecordedScenario
}

export const clusterRecordings: readonly ClusterRecording[] = [
  recording('10-workloads', workloadScenarios),
  recording('20-scheduling', schedulingScenarios),
  recording('30-node', nodeScenarios),
]

function recording(name: string, scenarios: readonly ClusterScenario[]): ClusterRecording {
  let content: Readonly<Record<string, RecordedScenario>> | undefined
  const recorded = (scenario: string) => {
    content ??= JSON.parse(readFileSync(`src/testing/cluster-golden/recordings/${name}.json`, 'utf8'))
    return content?.[scenario] ?? {}
  }
  return { name, scenarios, recorded }
}
