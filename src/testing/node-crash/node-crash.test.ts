import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { seededRandom } from '../../base/random.js'
import { containersMissing } from '../containers/container-packages.js'
import { runFaultScenario, runRandomScenario, runRebootScenario } from './crashes.js'
import { NodeCrashHarness } from './node-crash-harness.js'

describe('containers keep running, once each, and leave nothing behind', {
  skip: await containersMissing(),
}, () => {
  test('when the kubelet is killed between its calls to the runtime', async () => {
    await using harness = await NodeCrashHarness.begin()
    const missed = await runFaultScenario(harness, 'a', [
      { call: 'runPodSandbox', timing: 'unsent', number: 2 },
      { call: 'runPodSandbox', timing: 'unheard' },
      { call: 'createContainer', timing: 'unheard', number: 2 },
      { call: 'startContainer', timing: 'unsent' },
      { call: 'startContainer', timing: 'unheard', number: 2 },
      { call: 'stopContainer', timing: 'unheard' },
      { call: 'stopPodSandbox', timing: 'unheard' },
      { call: 'removePodSandbox', timing: 'unheard' },
    ])
    assert.deepEqual(missed, [])
  })

  test('when kubelet and containerd are killed at random moments', async () => {
    await using harness = await NodeCrashHarness.begin()
    await runRandomScenario(harness, { suffix: 'b', random: seededRandom(1), kills: 3, killsContainerd: true })
  })

  test('and pods are started again when the node reboots', async () => {
    await using harness = await NodeCrashHarness.begin()
    await runRebootScenario(harness, 'c')
  })
})
