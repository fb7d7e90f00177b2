/**
 * npm run crash:node [days [seed]]: days on a node with a real containerd. On the first one the kubelet is killed at every call by which
 * it changes something, on the others at random moments, and containerd too; each ends with a start of the machine.
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
const [days = '10', seed = String(environment().random.integer(1e6))] = process.argv.slice(2)
let failures = 0
let kills = 0
for (let day = 0; day < Number(days); day++) await passDay(day, seededRandom(Number(seed) + day))
console.log(`${kills} kills; ${failures === 0 ? 'nothing ran twice, nothing was left' : `${failures} days went wrong`}`)
process.exitCode = failures === 0 ? 0 : 1

async function passDay(day: number, random: Random): Promise<void> {
  await using harness = await NodeCrashHarness.begin()
  try {
    if (day === 0) await runFaultScenario(harness, 'blows', everyKubeletFault)
    else await runFaultScenario(harness, 'blows', someBlows(random))
    await runRandomScenario(harness, { suffix: 'kubelet', random, kills: 4, killsContainerd: false })
    await runRandomScenario(harness, { suffix: 'both', random, kills: 4, killsContainerd: true })
    await runRebootScenario(harness, 'reboot')
    console.log(`day ${day + 1}, seed ${Number(seed) + day}: well`)
  } catch (error) {
    failures++
    console.log(`day ${day + 1}, seed ${Number(seed) + day}: ${(error as Error).message}`)
    await harness.reset()
  }
  kills += harness.kills
}

function someBlows(random: Random) {
  return Array.from({ length: 8 }, () => ({
    ...everyKubeletFault[random.integer(everyKubeletFault.length)]!,
    number: 1 + random.integer(4),
  }))
}
