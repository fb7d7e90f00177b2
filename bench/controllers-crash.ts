/**
 * npm run crash:controllers [first [last [fault]]]: a scripted day of a whole cluster, once for each write of the control loops, after which
 * they are killed: before they hear the answer, after they did; or the answer is lost. The day must always end in the same state.
 *
 * npm run crash:controllers processes [rounds [seed]]: a shorter one with real processes that are killed at random moments.
 */

import { stateDifference } from '../src/testing/crash/cluster-state.js'
import { runCrashScenario } from '../src/testing/crash/crash-harness.js'
import { longScenario } from '../src/testing/crash/crash-scenario.js'
import { crashProcesses } from '../src/testing/crash/process-crashes.js'
import type { WriteFault } from '../src/testing/faults/write-faults.js'

const [first = '0', ...rest] = process.argv.slice(2)
const failures = first === 'processes' ? await killProcesses(rest) : await killAfterEachWrite(first, rest)
console.log(failures === 0 ? 'the same end each time' : `${failures} times another end`)
process.exitCode = failures === 0 ? 0 : 1

async function killProcesses([rounds = '10', seed = String(Math.floor(Math.random() * 1e6))]: readonly string[]) {
  let failures = 0
  for (let round = 0; round < Number(rounds); round++) {
    const options = { seed: Number(seed) + round, kills: 4, killsServer: round % 2 === 1 }
    const difference = await crashProcesses(options)
    if (difference !== '') failures++
    console.log(`round ${round + 1}, ${JSON.stringify(options)}: ${difference || 'well'}`)
  }
  return failures
}

async function killAfterEachWrite(first: string, [last, only]: readonly string[]): Promise<number> {
  const undisturbed = await runCrashScenario(longScenario)
  const faults = only ? [only as WriteFault] : (['afterResponse', 'beforeResponse', 'responseLost'] as const)
  const end = Number(last ?? undisturbed.writes)
  let failures = 0
  let days = 0
  console.log(`${undisturbed.writes} writes, ${undisturbed.lines.length} facts in the end`)
  for (const after of inStrides(Number(first), end))
    for (const fault of faults) {
      const difference = await differenceAfter(after, fault, undisturbed.lines)
      if (++days % 50 === 0) console.log(`${days} days, ${failures} of them with another end`)
      if (difference === '') continue
      failures++
      console.log(`after ${after} writes (${fault}):\n${difference}`)
    }
  return failures
}

/** Every number once, and early on some from everywhere: what fails in one place often fails in others. */
function* inStrides(first: number, last: number): Iterable<number> {
  const stride = 13
  for (let offset = 0; offset < stride; offset++)
    for (let number = first + offset; number <= last; number += stride) yield number
}

async function differenceAfter(after: number, fault: WriteFault, expected: readonly string[]): Promise<string> {
  try {
    return stateDifference(expected, (await runCrashScenario(longScenario, [{ after, fault }])).lines)
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
