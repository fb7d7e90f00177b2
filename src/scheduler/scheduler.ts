import { Pod } from '../api/core/v1/pod.js'
import type { Environment } from '../base/environment.js'
import { Client } from '../client/client.js'
import { type AnswerInProcess, inProcessTransport } from '../client/in-process.js'
import { Informers } from '../client/informers/informers.js'
import type { Transport } from '../client/transport.js'
import type { Attempt } from './attempts/attempt-log.js'
import { EventLanes } from './attempts/event-lanes.js'
import { ClusterCache } from './cache/cluster-cache.js'
import { defaultProfile } from './default-profile.js'
import type { Extender } from './extenders/extender.js'
import type { PluginParts } from './plugin.js'
import type { Profile } from './profile.js'
import { type QueueOptions, SchedulingQueue } from './queue/scheduling-queue.js'
import { Scheduling } from './scheduling.js'
import { unfinished, watchCluster } from './watching.js'

/** A profile is made when it is known what its plugins are made with. */
export type ProfileFactory = (parts: PluginParts) => Profile

export interface SchedulerParts {
  readonly environment: Environment
  /** Carries all that the scheduler asks and says. It is closed with the scheduler. */
  readonly transport: Transport
  /** By the names by which pods ask for them; the usual one as `default-scheduler` unless told. */
  readonly profiles?: Readonly<Record<string, ProfileFactory>>
  readonly extenders?: readonly Extender[]
  readonly queue?: QueueOptions
}

export interface RunningScheduler {
  /** Resolves when it knows everything that there was, and works. */
  synced(): Promise<void>
  /** The last attempts at a pod, by `namespace/name`, and why they ended as they did. The oldest first. */
  attempts(key: string): readonly Attempt[]
  /** Why it does not work; undefined while it works. */
  problem(): string | undefined
  /** Begins nothing more, and resolves when what was begun has ended or been given up. */
  close(): Promise<void>
}

const usualProfiles: Readonly<Record<string, ProfileFactory>> = { 'default-scheduler': defaultProfile }

export function startScheduler(parts: SchedulerParts): RunningScheduler {
  const { environment, transport, extenders = [] } = parts
  const client = new Client(transport, { clock: environment.clock })
  const informers = new Informers(client, environment)
  const profiles = profilesOf(parts, informers)
  const recorders = new Map<string, EventLanes>()
  for (const name of profiles.keys()) recorders.set(name, new EventLanes(client, { component: name }, environment))
  const report = (error: unknown) => environment.log.error('a plugin could not say what an event means', { error })
  const queue = new SchedulingQueue(environment.clock, profiles, { report, ...parts.queue })
  const cache = new ClusterCache()
  const events = (name: string) => recorders.get(name)!
  const pods = informers.of(Pod, unfinished)
  const scheduling = new Scheduling({ environment, client, events, profiles, cache, queue, pods, extenders })
  watchCluster(informers, { cache, queue, isMine: ({ spec }) => profiles.has(spec.schedulerName ?? '') })
  let problem: string | undefined = 'the scheduler has not read all objects yet'
  const working = informers.synced().then(() => {
    if (!isClosed) problem = undefined
    return scheduling.run()
  })
  let isClosed = false
  working.catch((error: unknown) => {
    if (isClosed) return
    problem = `the scheduler has stopped: ${error instanceof Error ? error.message : String(error)}`
    environment.log.error('the scheduler has stopped', { error })
  })
  return {
    synced: () => informers.synced(),
    attempts: (key) => scheduling.attempts.of(key),
    problem: () => problem,
    async close() {
      isClosed = true
      problem = 'the scheduler has stopped'
      scheduling.close()
      await informers.close()
      await Promise.all([...recorders.values()].map((recorder) => recorder.close()))
      transport.close()
      await working.catch(() => {}) // it was reported, or had not begun
    },
  }
}

function profilesOf(parts: SchedulerParts, informers: Informers): ReadonlyMap<string, Profile> {
  const { profiles = usualProfiles, extenders = [] } = parts
  return new Map(
    Object.entries(profiles).map(([schedulerName, make]) => [
      schedulerName,
      make({ informers, schedulerName, extenders }),
    ]),
  )
}

/** How the scheduler reaches an API server in this process: the server takes its word for who it is. */
export function schedulerTransport(answer: AnswerInProcess): Transport {
  const user = { name: 'system:kube-scheduler', uid: '', groups: ['system:authenticated'], extra: {} }
  return inProcessTransport({ answer, user, userAgent: 'kube-scheduler' })
}
