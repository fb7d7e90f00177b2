import { deepStrictEqual } from 'node:assert'
import type { Random } from '../../base/random.js'
import type { NodeCrashHarness } from './node-crash-harness.js'
import { type ChangingCall, changingCalls, type FaultTiming } from './runtime-proxy.js'
import { scenarioPods } from './scenario-pods.js'

export interface KubeletFault {
  readonly call: ChangingCall
  readonly timing: FaultTiming
  /** At which of them; the next one unless told. */
  readonly number?: number
}

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

/** Every call that changes something, carried out or not. */
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

/** Pods come, run and go, while the kubelet is killed at these calls, one after the other. Gives those that it did not come to. */
export async function runFaultScenario(
  harness: NodeCrashHarness,
  day: string,
  faults: readonly KubeletFault[],
): Promise<readonly KubeletFault[]> {
  const missed: KubeletFault[] = []
  const strike = async (isEnding: boolean) => {
    for (const fault of faults)
      if (endings.has(fault.call) === isEnding && !(await killAtCall(harness, fault))) missed.push(fault)
  }
  const pods = scenarioPods(day)
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

/** The next kubelet lives until it makes that call. Where everything has been done already, nothing strikes it. */
async function killAtCall(harness: NodeCrashHarness, { call, timing, number = 1 }: KubeletFault): Promise<boolean> {
  await harness.restartKubelet()
  const over = new Promise<boolean>((resolve) => {
    const act = () => {
      harness.killKubelet()
      resolve(true)
    }
    harness.proxy.inject({ call, timing, number, onFault: act })
  })
  return Promise.race([over, pause(blowPatience).then(() => false)])
}

/** Longer than a kubelet takes to start and to do what there is to do. */
const blowPatience = 10_000

/** Whatever is done, those who run go on running, and nobody is started again. */
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
  /** In each of its two halves. */
  readonly kills: number
  readonly killsContainerd: boolean
}

/** The same with kills at any moment, of kubelet or containerd. What a call is broken off in the middle of may have to be done again. */
export async function runRandomScenario(
  harness: NodeCrashHarness,
  { suffix: day, random, kills, killsContainerd }: RandomScenarioOptions,
): Promise<void> {
  const pods = scenarioPods(day)
  const kill = async () => {
    await pause(random.float() * longest)
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

/** From a kill to the next one: as long as a kubelet takes to start and to do something, and longer. */
const longest = 3000

/** The machine is started anew: of those who ran, none runs on, and each is started again. */
export async function runRebootScenario(harness: NodeCrashHarness, day: string): Promise<void> {
  const pods = scenarioPods(day).filter(({ phase }) => phase === 'Running')
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
