import { Pod } from '../api/core/v1/pod.js'
import type { Environment } from '../base/environment.js'
import { Client } from '../client/client.js'
import { type AnswerInProcess, inProcessTransport } from '../client/in-process.js'
import { Informers } from '../client/informers/informers.js'
import type { Transport } from '../client/transport.js'
import type { SchedulingAttempt } from './attempts/attempt-log.js'
import { ParallelEventRecorder } from './attempts/parallel-event-recorder.js'
import { ClusterCache } from './cache/cluster-cache.js'
import { defaultProfile } from './configuration/default-profile.js'
import { registerEventHandlers, unfinishedPods } from './event-handlers.js'
import type { Extender } from './extenders/extender.js'
import type { SchedulerPluginDependencies } from './framework/plugin.js'
import type { SchedulerProfile } from './framework/profile.js'
import { SchedulingQueue, type SchedulingQueueOptions } from './queue/scheduling-queue.js'
import { SchedulingLoop } from './scheduling-loop.js'

/** A profile is made when it is known what its plugins are made with. */
export type ProfileFactory = (parts: SchedulerPluginDependencies) => SchedulerProfile

export interface SchedulerOptions {
  readonly environment: Environment
  /** Carries all that the scheduler asks and says. It is closed with the scheduler. */
  readonly transport: Transport
  /** By the names by which pods ask for them; the usual one as `default-scheduler` unless told. */
  readonly profiles?: Readonly<Record<string, ProfileFactory>>
  readonly extenders?: readonly Extender[]
  readonly queue?: SchedulingQueueOptions
}

export interface RunningScheduler {
  /** Resolves when it knows everything that there was, and works. */
  synced(): Promise<void>
  /** The last attempts at a pod, by `namespace/name`, and why they ended as they did. The oldest first. */
  attempts(key: string): readonly SchedulingAttempt[]
  /** Begins nothing more, and resolves when what was begun has ended or been given up. */
  close(): Promise<void>
}

const usualProfiles: Readonly<Record<string, ProfileFactory>> = { 'default-scheduler': defaultProfile }

export function startScheduler(parts: SchedulerOptions): RunningScheduler {
  const { environment, transport, extenders = [] } = parts
  const client = new Client(transport, { clock: environment.clock })
  const informers = new Informers(client, environment)
  const profiles = profilesOf(parts, informers)
  const recorders = new Map<string, ParallelEventRecorder>()
  for (const name of profiles.keys())
    recorders.set(name, new ParallelEventRecorder(client, { component: name }, environment))
  const report = (error: unknown) => environment.log.error('a plugin could not say what an event means', { error })
  const queue = new SchedulingQueue(environment.clock, profiles, { report, ...parts.queue })
  const cache = new ClusterCache()
  const events = (name: string) => recorders.get(name)!
  const pods = informers.of(Pod, unfinishedPods)
  const scheduling = new SchedulingLoop({ environment, client, events, profiles, cache, queue, pods, extenders })
  registerEventHandlers(informers, { cache, queue, isMine: ({ spec }) => profiles.has(spec.schedulerName ?? '') })
  const working = informers.synced().then(() => scheduling.run())
  let isClosed = false
  working.catch((error) => {
    if (!isClosed) environment.log.error('the scheduler has stopped', { error })
  })
  return {
    synced: () => informers.synced(),
    attempts: (key) => scheduling.attempts.of(key),
    async close() {
      isClosed = true
      scheduling.close()
      await informers.close()
      await Promise.all([...recorders.values()].map((recorder) => recorder.close()))
      transport.close()
      await working.catch(() => {}) // it was reported, or had not begun
    },
  }
}

function profilesOf(parts: SchedulerOptions, informers: Informers): ReadonlyMap<string, SchedulerProfile> {
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
