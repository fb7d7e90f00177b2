import { after, before, describe, test } from 'node:test'
import { environment } from '../../base/environment.js'
import { VirtualClock } from '../../base/virtual-clock.js'
import { startTestCluster, type TestCluster } from '../cluster.js'
import {
  assertKnownDifferences,
  readKnownDifferences,
  type StepComparison,
  writeKnownDifferences,
} from '../golden/known-differences.js'
import { Requests } from '../golden/requests.js'
import { checkWorldWhenSettled } from '../world-check/world-check.js'
import { clusterRecordings } from './cluster-recording.js'
import { runScenarios, tally } from './scenario-suite.js'
import { skipReason } from './skipped-scenarios.js'

/**
 * The contract: what was done to a v1.36.4 cluster, done again, and what becomes of it. It is played on a virtual clock, so that nobody
 * waits for a node to fall silent; `npm run golden:cluster` plays the same in real time, against any cluster. As with `golden/`,
 * `known-differences.json` says what differs, and why; with `GOLDEN_UPDATE=1` it is rewritten.
 */
const file = 'src/testing/cluster-golden/known-differences.json'
const known = readKnownDifferences(file)
const seen = new Map<string, readonly StepComparison[]>()
const isUpdate = process.env.GOLDEN_UPDATE === '1'

describe('a cluster ends up as it is recorded', () => {
  const clock = new VirtualClock()
  let cluster: TestCluster
  let requests: Requests
  before(async () => {
    cluster = await startTestCluster({ allowPrivileged: true, scheduler: true, environment: environment({ clock }) })
    requests = new Requests({ server: cluster.url, token: cluster.token })
  })
  after(async () => {
    requests.close()
    await cluster.close()
    if (isUpdate) writeKnownDifferences(file, seen)
  })
  for (const recording of clusterRecordings.filter(({ scenarios }) =>
    scenarios.every(({ needs }) => needs !== 'kubelet'),
  )) {
    const { name, scenarios } = recording
    const played = scenarios.filter((scenario) => skipReason(scenario) === undefined)
    test(name, async (testContext) => {
      const isKnown = (scenario: string, record: string) => known[name]?.[scenario]?.[record] !== undefined
      const context = {
        clock,
        requests: { send: (...args: Parameters<Requests['send']>) => clock.hold(requests.send(...args)) },
      }
      const results = await throughTime(clock, runScenarios(recording, played, context, { concurrency: 6, isKnown }))
      seen.set(name, results)
      console.log(`cluster golden ${tally(recording, results)}`)
      await clock.advance('1m')
      await checkWorldWhenSettled(cluster)
      if (isUpdate) return
      for (const scenario of scenarios)
        await testContext.test(scenario.name, { skip: skipReason(scenario) ?? false }, () =>
          assertKnownDifferences(
            results.filter((result) => result.scenario === scenario.name),
            known[name]?.[scenario.name] ?? {},
          ),
        )
    })
  }
})

/** Moves time until the work is done. */
async function throughTime<T>(clock: VirtualClock, work: Promise<T>): Promise<T> {
  let isDone = false
  const done = () => {
    isDone = true
  }
  work.then(done, done)
  await clock.runUntil(() => isDone, '6h')
  return work
}
