import { deepStrictEqual } from 'node:assert'
import type { Random } from '../../base/random.js'
import type { NodeCrashHarness } from './node-crash-harness.js'
import { type ChangingCall, changingCalls, type FaultTiming } from './runtime-proxy.js'
import { scenarioPods } from './scenario-pods.js'

export interface KubeletFault {
  readonly call: ChangingCall
  readonly timing: FaultTiming
  /** The number of the call, counted from now. Default: the next one. */
  readonly number?: number
}

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

/** A fault before and after every call that changes something. */
export const everyKubeletFault: readonly KubeletFault[] = changingCalls.flatMap((call) => [
  { call, timing: 'unsent' as const },
  { call, timing: 'unheard' as const },
])

const endings: ReadonlySet<ChangingCall> = new Set([
  'stopContainer',
  'removeContainer',
  'stopPodSandbox',
  'removePodSandbox',
])

/** Creates, runs and deletes pods, and kills the kubelet at each of these calls. Returns the faults that never happened. */
export async function runFaultScenario(
  harness: NodeCrashHarness,
  suffix: string,
  faults: readonly KubeletFault[],
): Promise<readonly KubeletFault[]> {
  const missed: KubeletFault[] = []
  const strike = async (isEnding: boolean) => {
    for (const fault of faults)
      if (endings.has(fault.call) === isEnding && !(await killAtCall(harness, fault))) missed.push(fault)
  }
  const pods = scenarioPods(suffix)
  await harness.create(pods)
  await strike(false)
  await harness.restartKubelet()
  await harness.untilSettled(pods)
  await assertContainersUnchanged(harness, () => harness.restartKubelet())
  await harness.untilSettled(pods)
  await harness.delete(pods)
  await strike(true)
  await harness.restartKubelet()
  await harness.untilCleared()
  return missed
}

/** Restarts the kubelet and kills it at the call. Returns false if it never makes that call. */
async function killAtCall(harness: NodeCrashHarness, { call, timing, number = 1 }: KubeletFault): Promise<boolean> {
  await harness.restartKubelet()
  const over = new Promise<boolean>((resolve) => {
    const act = () => {
      harness.killKubelet()
      resolve(true)
    }
    harness.proxy.inject({ call, timing, number, onFault: act })
  })
  return Promise.race([over, pause(faultTimeout).then(() => false)])
}

/** Longer than a kubelet takes to start and to sync its pods. */
const faultTimeout = 10_000

/** Asserts that all containers keep running and none is restarted. */
export async function assertContainersUnchanged(harness: NodeCrashHarness, what: () => Promise<void>): Promise<void> {
  const before = await harness.running()
  await what()
  await harness.untilKubeletActive()
  await pause(500)
  deepStrictEqual(await harness.running(), before)
}

export interface RandomScenarioOptions {
  readonly suffix: string
  readonly random: Random
  /** The number of kills in each half. */
  readonly kills: number
  readonly killsContainerd: boolean
}

/** Creates, runs and deletes pods, and kills the kubelet or containerd at random moments. Interrupted calls may be repeated. */
export async function runRandomScenario(
  harness: NodeCrashHarness,
  { suffix, random, kills, killsContainerd }: RandomScenarioOptions,
): Promise<void> {
  const pods = scenarioPods(suffix)
  const kill = async () => {
    await pause(random.float() * longestDelay)
    if (killsContainerd && random.integer(2) === 0) await harness.killContainerd()
    else await harness.restartKubelet()
  }
  await harness.restartKubelet()
  await harness.create(pods)
  for (let i = 0; i < kills; i++) await kill()
  await harness.untilSettled(pods, { brokenCalls: true })
  await assertContainersUnchanged(harness, kill)
  await harness.untilSettled(pods, { brokenCalls: true })
  await harness.delete(pods)
  for (let i = 0; i < kills; i++) await kill()
  await harness.untilCleared()
}

/** Upper bound of the delay between kills: longer than a kubelet takes to start and to act. */
const longestDelay = 3000

/** Reboots the node: no old container survives, and each is started again. */
export async function runRebootScenario(harness: NodeCrashHarness, suffix: string): Promise<void> {
  const pods = scenarioPods(suffix).filter(({ phase }) => phase === 'Running')
  await harness.restartKubelet()
  await harness.create(pods)
  await harness.untilSettled(pods, { brokenCalls: true })
  const before = await harness.running()
  await harness.reboot()
  await harness.untilSettled(pods, { brokenCalls: true })
  const after = new Set(await harness.running())
  deepStrictEqual(
    before.filter((one) => after.has(one)),
    [],
  )
  await assertContainersUnchanged(harness, () => harness.restartKubelet())
  await harness.delete(pods)
  await harness.untilCleared()
}
