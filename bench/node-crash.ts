/**
 * npm run crash:node [runs [seed]]: scenarios on a node with a real containerd. The first run kills the kubelet at every call that changes
 * something. The others kill kubelet and containerd at random moments. Each ends with a simulated reboot.
 */
import { environment } from '../src/base/environment.js'
import { type Random, seededRandom } from '../src/base/random.js'
import { containersMissing } from '../src/testing/containers/container-packages.js'
import {
  everyKubeletFault,
  runFaultScenario,
  runRandomScenario,
  runRebootScenario,
} from '../src/testing/node-crash/crashes.js'
import { NodeCrashHarness } from '../src/testing/node-crash/node-crash-harness.js'

const missing = await containersMissing()
if (missing) throw new Error(missing)
const [runs = '10', seed = String(environment().random.integer(1e6))] = process.argv.slice(2)
let failures = 0
let kills = 0
for (let run = 0; run < Number(runs); run++) await runScenario(run, seededRandom(Number(seed) + run))
console.log(
  `${kills} kills; ${failures === 0 ? 'nothing ran twice, nothing was left behind' : `${failures} runs failed`}`,
)
process.exitCode = failures === 0 ? 0 : 1

async function runScenario(run: number, random: Random): Promise<void> {
  await using harness = await NodeCrashHarness.begin()
  try {
    if (run === 0) await runFaultScenario(harness, 'blows', everyKubeletFault)
    else await runFaultScenario(harness, 'blows', randomFaults(random))
    await runRandomScenario(harness, { suffix: 'kubelet', random, kills: 4, killsContainerd: false })
    await runRandomScenario(harness, { suffix: 'both', random, kills: 4, killsContainerd: true })
    await runRebootScenario(harness, 'reboot')
    console.log(`run ${run + 1}, seed ${Number(seed) + run}: passed`)
  } catch (error) {
    failures++
    console.log(`run ${run + 1}, seed ${Number(seed) + run}: ${(error as Error).message}`)
    await harness.reset()
  }
  kills += harness.kills
}

function randomFaults(random: Random) {
  return Array.from({ length: 8 }, () => ({
    ...everyKubeletFault[random.integer(everyKubeletFault.length)]!,
    number: 1 + random.integer(4),
  }))
}
