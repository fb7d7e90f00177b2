import { after, afterEach, before, describe } from 'node:test'
import { commandContract } from './commands.js'
import { containerContract } from './containers.js'
import { eventContract } from './events.js'
import { imageContract } from './images.js'
import { logContract } from './logs.js'
import { resourceContract } from './resources.js'
import { restartContract } from './restart.js'
import { RuntimeHarness } from './runtime-harness.js'
import type { RuntimeUnderTest } from './runtime-under-test.js'
import { sandboxContract } from './sandboxes.js'

/** Registers the tests that every container runtime must pass. */
export function runtimeContract(name: string, start: () => Promise<RuntimeUnderTest>): void {
  describe(`${name} fulfils the contract of container runtimes`, () => {
    let current: RuntimeHarness
    before(async () => {
      current = new RuntimeHarness(await start())
    })
    afterEach(() => current.clear())
    after(() => current.underTest.close())
    const harness = () => current

    imageContract(harness)
    sandboxContract(harness)
    containerContract(harness)
    logContract(harness)
    commandContract(harness)
    resourceContract(harness)
    eventContract(harness)
    restartContract(harness)
  })
}
