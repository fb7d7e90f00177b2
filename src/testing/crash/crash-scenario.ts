import type { ControllerOptions } from '../../controllers/manager.js'
import { type ScenarioClient, templateWithImage } from './scenario-client.js'
import type { ScenarioNodes } from './scenario-nodes.js'

/** Something that people do, and when: seconds after the beginning. */
export interface CrashScenarioStep {
  readonly at: number
  readonly act: (people: ScenarioClient, nodes: ScenarioNodes) => Promise<void>
}

export interface CrashScenario {
  readonly steps: readonly CrashScenarioStep[]
  /** When all has come to rest, in seconds. */
  readonly end: number
  /** What the loops are told. */
  readonly controllers?: ControllerOptions
}

/**
 * A day in which about everything happens that control loops deal with. Between two things that people do to the same object there is the
 * time that a controller manager needs to die, to be started again and to catch up: what nobody saw cannot be made up for.
 */
export const longScenario: CrashScenario = {
  steps: [
    {
      at: 0,
      async act(people, nodes) {
        await nodes.join('node-0', 'node-1', 'node-2')
        await people.namespaces('shop', 'works', 'attic')
      },
    },
    {
      at: 3,
      async act(people) {
        await people.quota('works/quota', 100)
        await people.service('shop/web')
        await people.budget('shop/web', 2)
        await people.deployment('shop/web', 3)
        await people.deployment('shop/api', 2, { strategy: { type: 'Recreate' } })
        await people.deployment('shop/cache', 2)
        await people.deployment('shop/lonely', 2)
        await people.deployment('shop/doomed', 2)
        await people.replicationController('shop/old', 2)
        await people.daemonSet('works/agent')
      },
    },
    {
      at: 6,
      async act(people) {
        await people.job('works/plain', 'succeeds', { completions: 5, parallelism: 2 })
        await people.job('works/indexed', 'succeeds', { completionMode: 'Indexed', completions: 4, parallelism: 3 })
        await people.job('works/failing', 'fails', { backoffLimit: 2 })
        await people.job('works/stumbling', 'stumbles', {
          completionMode: 'Indexed',
          completions: 3,
          parallelism: 3,
          backoffLimitPerIndex: 1,
        })
        await people.job('works/waiting', 'succeeds', { completions: 2, parallelism: 2, suspend: true })
        await people.job('works/fleeting', 'succeeds', { ttlSecondsAfterFinished: 15 })
        await people.job('works/abandoned', 'runs', { completions: 2, parallelism: 2 })
        await people.deployment('attic/web', 2)
        await people.job('attic/endless', 'runs', { parallelism: 2 })
        await people.service('attic/web')
      },
    },
    {
      at: 20,
      async act(people, nodes) {
        await people.patchDeployment('shop/web', templateWithImage('v2'))
        await people.patchDeployment('shop/api', templateWithImage('v2'))
        await people.patchDaemonSet('works/agent', templateWithImage('v2'))
        await people.patchJob('works/waiting', { suspend: false })
        await people.deleteJob('works/abandoned')
        await nodes.join('node-3')
      },
    },
    {
      at: 45,
      async act(people) {
        await people.patchDeployment('shop/web', { replicas: 5 })
        await people.patchDeployment('shop/cache', { paused: true, ...templateWithImage('v2') })
        await people.deleteDeployment('shop/doomed', 'Foreground')
        await people.deleteDeployment('shop/lonely', 'Orphan')
        await people.deleteDeployment('shop/api', 'Background')
        await people.deleteNamespace('attic')
      },
    },
    {
      at: 60,
      async act(people, nodes) {
        await people.patchDeployment('shop/web', templateWithImage('v1'))
        await people.patchDeployment('shop/cache', { paused: false })
        await people.job('works/late', 'runs', { completions: 2, parallelism: 2 })
        await nodes.leave('node-3')
      },
    },
    {
      at: 80,
      async act(people) {
        await people.patchDeployment('shop/web', { replicas: 2 })
        await people.patchJob('works/late', { suspend: true })
      },
    },
  ],
  // Pods of a node that is gone are given up after a minute, of which a manager that was killed knows nothing any more.
  end: 230,
  controllers: { credentials: { rootAuthority: 'authority' } },
}

/** Less of the same: nothing in it takes time, apart from pods that start and stop. */
export const shortScenario: CrashScenario = {
  steps: [
    {
      at: 0,
      async act(people, nodes) {
        await nodes.join('node-0', 'node-1')
        await people.namespaces('shop', 'works', 'attic')
      },
    },
    {
      at: 5,
      async act(people) {
        await people.deployment('shop/web', 4)
        await people.deployment('shop/doomed', 2)
        await people.deployment('attic/web', 2)
        await people.daemonSet('works/agent')
        await people.service('shop/web')
        await people.job('works/plain', 'succeeds', { completions: 5, parallelism: 2 })
        await people.job('works/failing', 'fails', { backoffLimit: 0 })
        await people.job('works/waiting', 'succeeds', { completions: 2, parallelism: 2, suspend: true })
      },
    },
    {
      at: 25,
      async act(people) {
        await people.patchDeployment('shop/web', templateWithImage('v2'))
        await people.patchDaemonSet('works/agent', templateWithImage('v2'))
        await people.patchJob('works/waiting', { suspend: false })
        await people.deleteDeployment('shop/doomed', 'Foreground')
        await people.deleteNamespace('attic')
      },
    },
    {
      at: 50,
      async act(people) {
        await people.patchDeployment('shop/web', { replicas: 6 })
        await people.job('works/indexed', 'succeeds', { completionMode: 'Indexed', completions: 4, parallelism: 3 })
      },
    },
  ],
  end: 75,
}
