/**
 * npm run golden:cluster [-- --server URL --token TOKEN] [--only PARTS] [--jobs N] [--manifests FOLDER] [--all]: replays
 * recordings of a real cluster, in real time and over the network, on a cluster that it starts or on any other; TOKEN must be an
 * administrator's. `--only` takes parts of `recording: scenario`, separated by commas. Skips scenarios whose requirements are missing, unless
 * `--all` or `--server` is given. Scenarios with static pods need the kubelet's manifest folder.
 */
import { parseArgs } from 'node:util'
import { systemClock } from '../src/base/clock.js'
import { startTestCluster } from '../src/testing/cluster.js'
import { clusterRecordings } from '../src/testing/cluster-golden/cluster-recording.js'
import { runScenarios, tally } from '../src/testing/cluster-golden/scenario-suite.js'
import { skipReason } from '../src/testing/cluster-golden/skipped-scenarios.js'
import type { StepComparison } from '../src/testing/golden/known-differences.js'
import { Requests } from '../src/testing/golden/requests.js'

const { values } = parseArgs({
  options: {
    server: { type: 'string' },
    token: { type: 'string', default: '' },
    only: { type: 'string', default: '' },
    jobs: { type: 'string', default: '4' },
    manifests: { type: 'string' },
    all: { type: 'boolean', default: false },
  },
})
const { server, token, only, jobs, manifests, all } = values
const cluster = server === undefined ? await startTestCluster({ allowPrivileged: true, scheduler: true }) : undefined
const requests = new Requests({ server: server ?? cluster!.url, token: cluster?.token ?? token })
const parts = only.split(',')

let failed = 0
for (const recording of clusterRecordings) {
  const scenarios = recording.scenarios
    .filter(({ name }) => parts.some((part) => `${recording.name}: ${name}`.includes(part)))
    .filter((scenario) => manifests !== undefined || !scenario.manifests)
    .filter((scenario) => all || server !== undefined || skipReason(scenario) === undefined)
  if (scenarios.length === 0) continue
  const stage = { requests, clock: systemClock, manifests }
  const results = await runScenarios(recording, scenarios, stage, { concurrency: Number(jobs), report })
  console.log(tally(recording, results))
  failed += results.filter(({ differences }) => differences.length > 0).length
}
requests.close()
await cluster?.close()
process.exitCode = failed > 0 ? 1 : 0

function report(scenario: string, results: readonly StepComparison[]): void {
  const differing = results.filter(({ differences }) => differences.length > 0)
  console.log(`${differing.length > 0 ? '✗' : '✓'} ${scenario}`)
  for (const { step, differences } of differing)
    for (const difference of differences) console.log(`    ${step}: ${difference}`)
}
