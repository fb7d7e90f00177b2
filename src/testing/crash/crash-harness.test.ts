import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { WriteFault, WriteFaultOptions } from '../faults/write-faults.js'
import { type CrashScenarioResult, runCrashScenario } from './crash-harness.js'
import { longScenario } from './crash-scenario.js'

const faults: readonly WriteFault[] = ['afterResponse', 'beforeResponse', 'responseLost']

/** Repeats the same fault for every controller manager. */
function* again(after: number, fault: WriteFault): Iterable<WriteFaultOptions> {
  for (;;) yield { after, fault }
}

/** `npm run crash:controllers` does this for every single write. */
describe('a scenario ends in the same state', () => {
  const undisturbed: Promise<CrashScenarioResult> = runCrashScenario(longScenario)

  test('in every run without faults', async () => {
    const { lines, writes, kills } = await undisturbed
    assert.ok(writes > 400, `only ${writes} writes`)
    assert.equal(kills, 0)
    assert.deepEqual((await runCrashScenario(longScenario)).lines, lines)
  })

  for (const [i, fault] of faults.entries())
    test(`if the controller manager is ${fault === 'responseLost' ? 'cut off' : 'killed'} after one write (${fault})`, async () => {
      const { lines, writes } = await undisturbed
      for (const share of [0.15, 0.55]) {
        const after = Math.floor(writes * (share + i / 10))
        assert.deepEqual((await runCrashScenario(longScenario, [{ after, fault }])).lines, lines, `${after} writes`)
      }
    })

  for (const [after, fault] of [
    [19, 'afterResponse'],
    [23, 'beforeResponse'],
  ] as const)
    test(`if it is killed repeatedly, each time after ${after} writes (${fault})`, async () => {
      const { lines } = await undisturbed
      const { kills, ...found } = await runCrashScenario(longScenario, again(after, fault))
      assert.ok(kills > 10, `only ${kills} kills`)
      assert.deepEqual(found.lines, lines)
    })
})
