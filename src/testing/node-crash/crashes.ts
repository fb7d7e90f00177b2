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
  trial: NodeCrashHarness,
  day: string,
  blows: readonly KubeletFault[],
): Promise<readonly KubeletFault[]> {
  const missed: KubeletFault[] = []
  const strike = async (isEnding: boolean) => {
    for (const blow of blows) if (endings.has(blow.call) === isEnding && !(await struck(trial, blow))) missed.push(blow)
  }
  const pods = scenarioPods(day)
  await trial.create(pods)
  await strike(false)
  await trial.restartKubelet()
  await trial.untilSettled(pods)
  await assertContainersUnchanged(trial, () => trial.restartKubelet())
  await trial.untilSettled(pods)
  await trial.delete(pods)
  await strike(true)
  await trial.restartKubelet()
  await trial.untilCleared()
  return missed
}

/** The next kubelet lives until it makes that call. Where everything has been done already, nothing strikes it. */
async function struck(trial: NodeCrashHarness, { call, timing, number = 1 }: KubeletFault): Promise<boolean> {
  await trial.restartKubelet()
  const over = new Promise<boolean>((resolve) => {
    const act = () => {
      trial.killKubelet()
      resolve(true)
    }
    trial.proxy.inject({ call, timing, number, onFault: act })
  })
  return Promise.race([over, pause(blowPatience).then(() => false)])
}

/** Longer than a kubelet takes to start and to do what there is to do. */
const blowPatience = 10_000

/** Whatever is done, those who run go on running, and nobody is started again. */
export async function assertContainersUnchanged(trial: NodeCrashHarness, what: () => Promise<void>): Promise<void> {
  const before = await trial.running()
  await what()
  await trial.untilKubeletActive()
  await pause(500)
  deepStrictEqual(await trial.running(), before)
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
  trial: NodeCrashHarness,
  { suffix: day, random, kills, killsContainerd }: RandomScenarioOptions,
): Promise<void> {
  const pods = scenarioPods(day)
  const kill = async () => {
    await pause(random.float() * longest)
    if (killsContainerd && random.integer(2) === 0) await trial.killContainerd()
    else await trial.restartKubelet()
  }
  await trial.restartKubelet()
  await trial.create(pods)
  for (let i = 0; i < kills; i++) await kill()
  await trial.untilSettled(pods, { brokenCalls: true })
  await assertContainersUnchanged(trial, kill)
  await trial.untilSettled(pods, { brokenCalls: true })
  await trial.delete(pods)
  for (let i = 0; i < kills; i++) await kill()
  await trial.untilCleared()
}

/** From a kill to the next one: as long as a kubelet takes to start and to do something, and longer. */
const longest = 3000

/** The machine is started anew: of those who ran, none runs on, and each is started again. */
export async function runRebootScenario(trial: NodeCrashHarness, day: string): Promise<void> {
  const pods = scenarioPods(day).filter(({ phase }) => phase === 'Running')
  await trial.restartKubelet()
  await trial.create(pods)
  await trial.untilSettled(pods, { brokenCalls: true })
  const before = await trial.running()
  await trial.reboot()
  await trial.untilSettled(pods, { brokenCalls: true })
  const after = new Set(await trial.running())
  deepStrictEqual(
    before.filter((one) => after.has(one)),
    [],
  )
  await assertContainersUnchanged(trial, () => trial.restartKubelet())
  await trial.delete(pods)
  await trial.untilCleared()
}
