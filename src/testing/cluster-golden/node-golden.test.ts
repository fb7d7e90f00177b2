import { after, before, describe, test } from 'node:test'
import { systemClock } from '../../base/clock.js'
import { startTestCluster, type TestCluster } from '../cluster.js'
import { busyboxImage } from '../containers/busybox-image.js'
import { containersMissing } from '../containers/container-packages.js'
import { startTestNode, type TestNode } from '../containers/test-node.js'
import {
  assertKnownDifferences,
  readKnownDifferences,
  type StepComparison,
  writeKnownDifferences,
} from '../golden/known-differences.js'
import { Requests } from '../golden/requests.js'
import { clusterRecordings } from './cluster-recording.js'
import { runScenarios, tally } from './scenario-suite.js'
import { skipReason } from './skipped-scenarios.js'

/** What was done to a v1.36.4 node, done again to one of ours with a real containerd, in real time. Otherwise as `cluster-golden.test.ts`. */
const file = 'src/testing/cluster-golden/known-node-differences.json'
const known = readKnownDifferences(file)
const isUpdate = process.env.GOLDEN_UPDATE === '1'
const images = ['agnhost:2.63.0', 'busybox:1.37.0-1'].map((name) => `registry.k8s.io/e2e-test-images/${name}`)

/** The name of the node is nothing that anybody could look up. */
const kubelets = { preferredAddressTypes: ['InternalIP'] }

describe('a node ends up as it is recorded', { skip: await containersMissing() }, () => {
  let cluster: TestCluster
  let node: TestNode
  let requests: Requests
  const seen = new Map<string, readonly StepComparison[]>()
  before(async () => {
    cluster = await startTestCluster({ allowPrivileged: true, scheduler: true, options: { kubelets } })
    node = await startTestNode(cluster, { images: [busyboxImage(...images)] })
    requests = new Requests({ server: cluster.url, token: cluster.token })
  })
  after(async () => {
    requests.close()
    await node.close()
    await cluster.close()
    if (isUpdate) writeKnownDifferences(file, seen)
  })
  for (const recording of clusterRecordings.filter(({ scenarios }) =>
    scenarios.some(({ needs }) => needs === 'kubelet'),
  )) {
    const { name, scenarios } = recording
    test(name, async (testContext) => {
      const isKnown = (scenario: string, record: string) => known[name]?.[scenario]?.[record] !== undefined
      const context = { clock: systemClock, requests, manifests: node.manifests }
      const played = scenarios.filter((scenario) => skipReason(scenario) === undefined)
      const results = await runScenarios(recording, played, context, { concurrency: 8, isKnown })
      seen.set(name, results)
      console.log(`cluster golden ${tally(recording, results)}`)
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
