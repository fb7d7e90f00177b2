import { deepStrictEqual } from 'node:assert'
import type { Random } from '../../base/random.js'
import type { NodeTrial } from './node-crash-harness.js'
import { type ChangingCall, changingCalls, type Timing } from './runtime-proxy.js'
import { podsOfTheDay } from './scenario-pods.js'

export interface Blow {
  readonly call: ChangingCall
  readonly timing: Timing
  /** At which of them; the next one unless told. */
  readonly number?: number
}

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

/** Every call that changes something, carried out or not. */
export const everyBlow: readonly Blow[] = changingCalls.flatMap((call) => [
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
export async function dayOfBlows(trial: NodeTrial, day: string, blows: readonly Blow[]): Promise<readonly Blow[]> {
  const missed: Blow[] = []
  const strike = async (isEnding: boolean) => {
    for (const blow of blows) if (endings.has(blow.call) === isEnding && !(await struck(trial, blow))) missed.push(blow)
  }
  const pods = podsOfTheDay(day)
  await trial.create(pods)
  await strike(false)
  await trial.nextKubelet()
  await trial.settled(pods)
  await unchanged(trial, () => trial.nextKubelet())
  await trial.settled(pods)
  await trial.delete(pods)
  await strike(true)
  await trial.nextKubelet()
  await trial.cleared()
  return missed
}

/** The next kubelet lives until it makes that call. Where everything has been done already, nothing strikes it. */
async function struck(trial: NodeTrial, { call, timing, number = 1 }: Blow): Promise<boolean> {
  await trial.nextKubelet()
  const over = new Promise<boolean>((resolve) => {
    const act = () => {
      trial.strikeKubelet()
      resolve(true)
    }
    trial.gate.strike({ call, timing, number, act })
  })
  return Promise.race([over, pause(blowPatience).then(() => false)])
}

/** Longer than a kubelet takes to start and to do what there is to do. */
const blowPatience = 10_000

/** Whatever is done, those who run go on running, and nobody is started again. */
export async function unchanged(trial: NodeTrial, what: () => Promise<void>): Promise<void> {
  const before = await trial.running()
  await what()
  await trial.kubeletActs()
  await pause(500)
  deepStrictEqual(await trial.running(), before)
}

export interface RandomDay {
  readonly day: string
  readonly random: Random
  /** In each of its two halves. */
  readonly kills: number
  readonly killsContainerd: boolean
}

/** The same with kills at any moment, of kubelet or containerd. What a call is broken off in the middle of may have to be done again. */
export async function randomDay(trial: NodeTrial, { day, random, kills, killsContainerd }: RandomDay): Promise<void> {
  const pods = podsOfTheDay(day)
  const kill = async () => {
    await pause(random.float() * longest)
    if (killsContainerd && random.integer(2) === 0) await trial.killContainerd()
    else await trial.nextKubelet()
  }
  await trial.nextKubelet()
  await trial.create(pods)
  for (let i = 0; i < kills; i++) await kill()
  await trial.settled(pods, { brokenCalls: true })
  await unchanged(trial, kill)
  await trial.settled(pods, { brokenCalls: true })
  await trial.delete(pods)
  for (let i = 0; i < kills; i++) await kill()
  await trial.cleared()
}

/** From a kill to the next one: as long as a kubelet takes to start and to do something, and longer. */
const longest = 3000

/** The machine is started anew: of those who ran, none runs on, and each is started again. */
export async function rebootDay(trial: NodeTrial, day: string): Promise<void> {
  const pods = podsOfTheDay(day).filter(({ phase }) => phase === 'Running')
  await trial.nextKubelet()
  await trial.create(pods)
  await trial.settled(pods, { brokenCalls: true })
  const before = await trial.running()
  await trial.reboot()
  await trial.settled(pods, { brokenCalls: true })
  const after = new Set(await trial.running())
  deepStrictEqual(
    before.filter((one) => after.has(one)),
    [],
  )
  await unchanged(trial, () => trial.nextKubelet())
  await trial.delete(pods)
  await trial.cleared()
}
