import assert from 'node:assert/strict'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Pod } from '../../api/core/v1/pod.js'
import { containerStateOf, containerStatusOf, idle, script, type TestNodeHarness, until } from './node-harness.js'
import { nodeSuite } from './node-suite.js'

/** A file in the kubelet's folder; `say` is what its container says. */
function write(harness: TestNodeHarness, say: string): string {
  const file = join(harness.node.manifests, `${harness.namespace}.yaml`)
  const metadata = { name: 'own', namespace: harness.namespace, labels: { say } }
  const spec = { terminationGracePeriodSeconds: 1, containers: [script('c', `echo ${say}; ${idle}`)] }
  writeFileSync(file, JSON.stringify({ apiVersion: 'v1', kind: 'Pod', metadata, spec }))
  return file
}

const runs = (pod: Pod) => containerStateOf(pod)?.running !== undefined
const hashOf = ({ metadata }: Pod) => metadata.annotations?.['kubernetes.io/config.hash']

/** Static pods from a folder, with their mirror pods. */
await nodeSuite(
  'a static pod',
  {
    'is shown by a mirror, and runs on through a restart of the kubelet': async (harness) => {
      const file = write(harness, 'hello')
      const name = `own-${harness.node.name}`
      await until(() => harness.pods.get(name).catch(() => undefined))
      const before = await harness.pod(name, runs)
      assert.deepEqual(before.metadata.annotations!['kubernetes.io/config.mirror'], hashOf(before))
      assert.deepEqual(
        before.metadata.ownerReferences?.map(({ kind, name: owner, controller }) => [kind, owner, controller]),
        [['Node', harness.node.name, true]],
      )
      assert.deepEqual(await harness.lines(name, 1), ['hello'])

      await harness.node.restart()
      await harness.node.running.kubelet.synced
      const after = await harness.pod(name, runs)
      assert.equal(containerStatusOf(after)!.containerID, containerStatusOf(before)!.containerID)
      assert.equal(containerStatusOf(after)!.restartCount, 0)
      assert.equal(after.metadata.uid, before.metadata.uid)

      // Nobody but its file can end it.
      await harness.pods.delete(name, { gracePeriodSeconds: 0 })
      const again = await until(async () => {
        const seen = await harness.pods.get(name).catch(() => undefined)
        return seen && seen.metadata.uid !== before.metadata.uid && runs(seen) ? seen : undefined
      })
      assert.equal(containerStatusOf(again)!.containerID, containerStatusOf(before)!.containerID)

      write(harness, 'changed')
      const changed = await until(async () => {
        const seen = await harness.pods.get(name).catch(() => undefined)
        return seen && hashOf(seen) !== hashOf(before) && runs(seen) ? seen : undefined
      })
      assert.equal(changed.metadata.labels!.say, 'changed')
      assert.deepEqual(await harness.lines(name, 1), ['changed'])

      rmSync(file)
      await harness.gone(name)
    },

    'that went while the kubelet was away is ended by the next one': async (harness) => {
      const file = write(harness, 'hello')
      const name = `own-${harness.node.name}`
      await until(() => harness.pods.get(name).catch(() => undefined))
      await harness.pod(name, runs)
      rmSync(file)
      await harness.node.restart()
      await harness.gone(name)
    },
  },
  { concurrency: 1 },
)
