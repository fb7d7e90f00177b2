/**
 * npm run crash:controllers [first [last [fault]]]: runs a scenario of a whole cluster once for each write of the controllers, and kills
 * them before the response arrives, after it arrives, or loses the response. Every run must end in the same state.
 *
 * npm run crash:controllers processes [rounds [seed]]: a shorter scenario with real processes that are killed at random moments.
 */

import { stateDifference } from '../src/testing/crash/cluster-state.js'
import { runCrashScenario } from '../src/testing/crash/crash-harness.js'
import { longScenario } from '../src/testing/crash/crash-scenario.js'
import { crashProcesses } from '../src/testing/crash/process-crashes.js'
import type { WriteFault } from '../src/testing/faults/write-faults.js'

const [first = '0', ...rest] = process.argv.slice(2)
const failures = first === 'processes' ? await killProcesses(rest) : await killAfterEachWrite(first, rest)
console.log(failures === 0 ? 'every run ended in the same state' : `${failures} runs ended in another state`)
process.exitCode = failures === 0 ? 0 : 1

async function killProcesses([rounds = '10', seed = String(Math.floor(Math.random() * 1e6))]: readonly string[]) {
  let failures = 0
  for (let round = 0; round < Number(rounds); round++) {
    const options = { seed: Number(seed) + round, kills: 4, killsServer: round % 2 === 1 }
    const difference = await crashProcesses(options)
    if (difference !== '') failures++
    console.log(`round ${round + 1}, ${JSON.stringify(options)}: ${difference || 'passed'}`)
  }
  return failures
}

async function killAfterEachWrite(first: string, [last, only]: readonly string[]): Promise<number> {
  const undisturbed = await runCrashScenario(longScenario)
  const faults = only ? [only as WriteFault] : (['afterResponse', 'beforeResponse', 'responseLost'] as const)
  const end = Number(last ?? undisturbed.writes)
  let failures = 0
  let runs = 0
  console.log(`${undisturbed.writes} writes, ${undisturbed.lines.length} lines in the final state`)
  for (const after of inStrides(Number(first), end))
    for (const fault of faults) {
      const difference = await differenceAfter(after, fault, undisturbed.lines)
      if (++runs % 50 === 0) console.log(`${runs} runs, ${failures} of them ended in another state`)
      if (difference === '') continue
      failures++
      console.log(`after ${after} writes (${fault}):\n${difference}`)
    }
  return failures
}

/** Yields every number once, spread over the range, because neighbouring writes often fail together. */
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
