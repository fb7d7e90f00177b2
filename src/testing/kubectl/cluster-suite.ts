import { setTimeout as realTime } from 'node:timers/promises'
import { systemClock } from '../../base/clock.js'
import { startTestCluster } from '../cluster.js'
import type { PodStatusStep } from '../cluster-golden/scenario.js'
import { ScriptedKubelet } from '../cluster-golden/scripted-kubelet.js'
import { Requests } from '../golden/requests.js'
import type { Kubectl } from './kubectl.js'
import { kubectlSuite } from './suite.js'

/** A test of kubectl and the control loops. There is no kubelet: `play` does its part, with pods of the test's namespace. */
export type ClusterTest = (kubectl: Kubectl, play: (step: PodStatusStep) => Promise<void>) => Promise<void>

/** Registers tests that share one cluster with all loops. The world must be sound when they are over. */
export function kubectlClusterSuite(name: string, tests: Readonly<Record<string, ClusterTest>>): void {
  let kubelet: ScriptedKubelet
  const start = async () => {
    const cluster = await startTestCluster()
    const requests = new Requests({ server: cluster.url, token: cluster.token })
    kubelet = new ScriptedKubelet({ requests, clock: systemClock })
    const close = async () => {
      requests.close()
      await cluster.close()
    }
    return { ...cluster, close }
  }
  const withKubelet = ([sentence, run]: [string, ClusterTest]) => [
    sentence,
    (kubectl: Kubectl) => run(kubectl, (step) => kubelet.writeStatuses(step, { ns: kubectl.namespace })),
  ]
  kubectlSuite(name, Object.fromEntries(Object.entries(tests).map(withKubelet)), start)
}

/** Waits until a field of an object has a value. */
export async function eventuallyEquals(
  kubectl: Kubectl,
  object: string,
  field: string,
  value: string | number,
): Promise<void> {
  await kubectl.ok('wait', object, `--for=jsonpath={${field}}=${value}`, '--timeout=30s')
}

/** `pod/web-…`, `replicaset.apps/web-…` */
export async function objectNames(kubectl: Kubectl, resources: string): Promise<readonly string[]> {
  const text = await kubectl.ok('get', resources, '--output=name')
  return text.split('\n').filter((line) => line !== '')
}

/** Tries again for a while until nothing is thrown: what loops do takes its time. */
export async function eventually(check: () => Promise<void>): Promise<void> {
  for (let attempts = 50; attempts > 0; attempts--)
    try {
      return await check()
    } catch {
      await realTime(100)
    }
  await check()
}
