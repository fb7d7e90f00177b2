import { after, before, describe, test } from 'node:test'
import { startTestCluster, type TestCluster, type TestClusterOptions } from '../cluster.js'
import { busyboxImage } from '../containers/busybox-image.js'
import { containersMissing } from '../containers/container-packages.js'
import { startTestNode, type TestNode, type TestNodeOptions } from '../containers/test-node.js'
import { nodeTestImage, TestNodeHarness } from './node-harness.js'

/** A test of a node with real containers, in a namespace that nobody else uses. What it makes there is taken away after it. */
export type NodeTest = (harness: TestNodeHarness) => Promise<void>

export interface NodeSuiteOptions extends TestNodeOptions {
  /** How many at a time: what takes long is mostly waiting. Four unless told. */
  readonly concurrency?: number
  /** What is special about the cluster. */
  readonly cluster?: TestClusterOptions
  /** A reason not to run it, besides a machine that cannot have containers. */
  readonly skip?: string | false
}

/** Registers tests that share one cluster and one node of it. Nothing may be left behind by them. */
export async function nodeSuite(
  name: string,
  tests: Readonly<Record<string, NodeTest>>,
  { concurrency = 4, skip = false, cluster: special = {}, ...options }: NodeSuiteOptions = {},
): Promise<void> {
  describe(name, { concurrency, skip: (await containersMissing()) || skip }, () => {
    let cluster: TestCluster
    let node: TestNode | undefined
    before(async () => {
      // The name of the node is nothing that anybody could look up.
      const kubelets = { preferredAddressTypes: ['InternalIP'] }
      cluster = await startTestCluster({ allowPrivileged: true, scheduler: true, options: { kubelets }, ...special })
      node = await startTestNode(cluster, { images: [busyboxImage(nodeTestImage)], ...options })
    })
    after(async () => {
      try {
        await node?.close()
      } finally {
        await cluster.close()
      }
    })
    for (const [index, [sentence, run]] of Object.entries(tests).entries())
      test(sentence, { timeout: 120_000 }, async () => {
        const harness = await TestNodeHarness.begin(cluster, node!, `test-${index}`)
        try {
          await run(harness)
        } catch (error) {
          throw await harness.explained(error)
        } finally {
          await harness.end()
        }
      })
  })
}
