import { seededRandom } from '../../base/random.js'
import { checkWorld } from '../world-check/world-check.js'
import { runCrashScenario } from './crash-harness.js'
import { shortScenario } from './crash-scenario.js'
import { ProcessHarness } from './process-harness.js'
import { ScenarioClient } from './scenario-client.js'

export interface ProcessCrashOptions {
  readonly seed: number
  /** The number of kills of the controller manager after each step. */
  readonly kills: number
  /** Whether the API server is killed every other time. */
  readonly killsServer: boolean
}

/** Upper bound of the delay between kills: longer than a manager takes to start. */
const longestDelay = 1500

/**
 * Runs the short scenario with real processes that are killed at random moments. After each step the cluster must reach the same state as
 * an undisturbed run in this process on a virtual clock. Returns the difference.
 */
export async function crashProcesses({ seed, kills, killsServer }: ProcessCrashOptions): Promise<string> {
  const { statesAfterSteps: stages } = await runCrashScenario(shortScenario)
  const random = seededRandom(seed)
  await using harness = await ProcessHarness.begin(['--leader-elect=false', '-v=2'])
  const client = new ScenarioClient(harness.client)
  for (const [i, step] of shortScenario.steps.entries()) {
    await step.act(client, harness.nodes)
    for (let kill = 0; kill < kills; kill++) {
      await new Promise((resolve) => setTimeout(resolve, random.float() * longestDelay))
      if (killsServer && (i + kill) % 2 === 0) await harness.killServer()
      else await harness.killManager()
    }
    // Pods may come and go while the server is down, so they cannot be counted.
    const difference = await harness.untilState(stages[i]!, { counted: !killsServer })
    if (difference !== '') return `after step ${i + 1}, seed ${seed}:\n${difference}`
  }
  await checkWorld(harness.client)
  return ''
}
