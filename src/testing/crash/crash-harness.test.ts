import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { WriteFault, WriteFaultOptions } from '../faults/write-faults.js'
import { type CrashScenarioResult, runCrashScenario } from './crash-harness.js'
import { longScenario } from './crash-scenario.js'

const faults: readonly WriteFault[] = ['heard', 'unheard', 'lost']

/** One after the other, each after so many writes. */
function* again(after: number, fault: WriteFault): Iterable<WriteFaultOptions> {
  for (;;) yield { after, fault: fault }
}

/** `npm run crash:controllers` kills after each single write. */
describe('a day ends as it would have ended', () => {
  const undisturbed: Promise<CrashScenarioResult> = runCrashScenario(longScenario)

  test('whatever time it is by chance', async () => {
    const { lines, writes, kills } = await undisturbed
    assert.ok(writes > 400, `only ${writes} writes`)
    assert.equal(kills, 0)
    assert.deepEqual((await runCrashScenario(longScenario)).lines, lines)
  })

  for (const [i, fault] of faults.entries())
    test(`though the controller manager is ${fault === 'lost' ? 'cut off' : 'killed'} after any one write (${fault})`, async () => {
      const { lines, writes } = await undisturbed
      for (const share of [0.15, 0.55]) {
        const after = Math.floor(writes * (share + i / 10))
        assert.deepEqual(
          (await runCrashScenario(longScenario, [{ after, fault: fault }])).lines,
          lines,
          `${after} writes`,
        )
      }
    })

  for (const [after, fault] of [
    [19, 'heard'],
    [23, 'unheard'],
  ] as const)
    test(`though it is killed again and again, each time after ${after} writes (${fault})`, async () => {
      const { lines } = await undisturbed
      const { kills, ...found } = await runCrashScenario(longScenario, again(after, fault))
      assert.ok(kills > 10, `only ${kills} kills`)
      assert.deepEqual(found.lines, lines)
    })
})
