import type { ControllerOptions } from '../../controllers/manager.js'
import { type ScenarioClient, templateWithImage } from './scenario-client.js'
import type { ScenarioNodes } from './scenario-nodes.js'

/** An action of users, `at` seconds after the start. */
export interface CrashScenarioStep {
  readonly at: number
  readonly act: (client: ScenarioClient, nodes: ScenarioNodes) => Promise<void>
}

export interface CrashScenario {
  readonly steps: readonly CrashScenarioStep[]
  /** The second at which the cluster has settled. */
  readonly end: number
  /** Options of the controllers. */
  readonly controllers?: ControllerOptions
}

/**
 * Exercises nearly everything that controllers handle. Two actions on the same object are far enough apart for a controller manager to be
 * killed, to start again and to catch up, because a level-triggered controller cannot act on a state that it never saw.
 */
export const longScenario: CrashScenario = {
  steps: [
    {
      at: 0,
      async act(client, nodes) {
        await nodes.join('node-0', 'node-1', 'node-2')
        await client.namespaces('shop', 'works', 'attic')
      },
    },
    {
      at: 3,
      async act(client) {
        await client.quota('works/quota', 100)
        await client.service('shop/web')
        await client.budget('shop/web', 2)
        await client.deployment('shop/web', 3)
        await client.deployment('shop/api', 2, { strategy: { type: 'Recreate' } })
        await client.deployment('shop/cache', 2)
        await client.deployment('shop/lonely', 2)
        await client.deployment('shop/doomed', 2)
        await client.replicationController('shop/old', 2)
        await client.daemonSet('works/agent')
      },
    },
    {
      at: 6,
      async act(client) {
        await client.job('works/plain', 'succeeds', { completions: 5, parallelism: 2 })
        await client.job('works/indexed', 'succeeds', { completionMode: 'Indexed', completions: 4, parallelism: 3 })
        await client.job('works/failing', 'fails', { backoffLimit: 2 })
        await client.job('works/stumbling', 'stumbles', {
          completionMode: 'Indexed',
          completions: 3,
          parallelism: 3,
          backoffLimitPerIndex: 1,
        })
        await client.job('works/waiting', 'succeeds', { completions: 2, parallelism: 2, suspend: true })
        await client.job('works/fleeting', 'succeeds', { ttlSecondsAfterFinished: 15 })
        await client.job('works/abandoned', 'runs', { completions: 2, parallelism: 2 })
        await client.deployment('attic/web', 2)
        await client.job('attic/endless', 'runs', { parallelism: 2 })
        await client.service('attic/web')
      },
    },
    {
      at: 20,
      async act(client, nodes) {
        await client.patchDeployment('shop/web', templateWithImage('v2'))
        await client.patchDeployment('shop/api', templateWithImage('v2'))
        await client.patchDaemonSet('works/agent', templateWithImage('v2'))
        await client.patchJob('works/waiting', { suspend: false })
        await client.deleteJob('works/abandoned')
        await nodes.join('node-3')
      },
    },
    {
      at: 45,
      async act(client) {
        await client.patchDeployment('shop/web', { replicas: 5 })
        await client.patchDeployment('shop/cache', { paused: true, ...templateWithImage('v2') })
        await client.deleteDeployment('shop/doomed', 'Foreground')
        await client.deleteDeployment('shop/lonely', 'Orphan')
        await client.deleteDeployment('shop/api', 'Background')
        await client.deleteNamespace('attic')
      },
    },
    {
      at: 60,
      async act(client, nodes) {
        await client.patchDeployment('shop/web', templateWithImage('v1'))
        await client.patchDeployment('shop/cache', { paused: false })
        await client.job('works/late', 'runs', { completions: 2, parallelism: 2 })
        await nodes.leave('node-3')
      },
    },
    {
      at: 80,
      async act(client) {
        await client.patchDeployment('shop/web', { replicas: 2 })
        await client.patchJob('works/late', { suspend: true })
      },
    },
  ],
  // Pods of a deleted node are removed after a minute, and a restarted manager counts that minute from its start.
  end: 230,
  controllers: { credentials: { rootAuthority: 'authority' } },
}

/** A shorter scenario: only pods that start and stop take time. */
export const shortScenario: CrashScenario = {
  steps: [
    {
      at: 0,
      async act(client, nodes) {
        await nodes.join('node-0', 'node-1')
        await client.namespaces('shop', 'works', 'attic')
      },
    },
    {
      at: 5,
      async act(client) {
        await client.deployment('shop/web', 4)
        await client.deployment('shop/doomed', 2)
        await client.deployment('attic/web', 2)
        await client.daemonSet('works/agent')
        await client.service('shop/web')
        await client.job('works/plain', 'succeeds', { completions: 5, parallelism: 2 })
        await client.job('works/failing', 'fails', { backoffLimit: 0 })
        await client.job('works/waiting', 'succeeds', { completions: 2, parallelism: 2, suspend: true })
      },
    },
    {
      at: 25,
      async act(client) {
        await client.patchDeployment('shop/web', templateWithImage('v2'))
        await client.patchDaemonSet('works/agent', templateWithImage('v2'))
        await client.patchJob('works/waiting', { suspend: false })
        await client.deleteDeployment('shop/doomed', 'Foreground')
        await client.deleteNamespace('attic')
      },
    },
    {
      at: 50,
      async act(client) {
        await client.patchDeployment('shop/web', { replicas: 6 })
        await client.job('works/indexed', 'succeeds', { completionMode: 'Indexed', completions: 4, parallelism: 3 })
      },
    },
  ],
  end: 75,
}
