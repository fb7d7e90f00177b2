import { seededRandom } from '../../base/random.js'
import { checkWorld } from '../world-check/world-check.js'
import { runCrashScenario } from './crash-harness.js'
import { shortScenario } from './crash-scenario.js'
import { ProcessHarness } from './process-harness.js'
import { ScenarioClient } from './scenario-client.js'

export interface ProcessCrashOptions {
  readonly seed: number
  /** How often the controller manager is killed after each thing that client do. */
  readonly kills: number
  /** Whether the API server is killed every other time. */
  readonly killsServer: boolean
}

/** From a kill to the next one: about as long as a manager takes to start, and longer. */
const longest = 1500

/**
 * A short day with real processes that are killed at random moments. After each step everything must come to be as in a cluster where
 * nobody was killed: that one is in this process and on a virtual clock. Gives what is different.
 */
export async function crashProcesses({ seed, kills, killsServer }: ProcessCrashOptions): Promise<string> {
  const { statesAfterSteps: stages } = await runCrashScenario(shortScenario)
  const random = seededRandom(seed)
  await using harness = await ProcessHarness.begin(['--leader-elect=false', '-v=2'])
  const client = new ScenarioClient(harness.client)
  for (const [i, step] of shortScenario.steps.entries()) {
    await step.act(client, harness.nodes)
    for (let kill = 0; kill < kills; kill++) {
      await new Promise((resolve) => setTimeout(resolve, random.float() * longest))
      if (killsServer && (i + kill) % 2 === 0) await harness.killServer()
      else await harness.killManager()
    }
    // Pods may come and go while no server tells of it.
    const difference = await harness.reaches(stages[i]!, { counted: !killsServer })
    if (difference !== '') return `after step ${i + 1}, seed ${seed}:\n${difference}`
  }
  await checkWorld(harness.client)
  return ''
}
