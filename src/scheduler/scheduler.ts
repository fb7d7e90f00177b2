import { Pod } from '../api/core/v1/pod.js'
import type { Environment } from '../base/environment.js'
import { Client } from '../client/client.js'
import { type InProcessHandler, inProcessTransport } from '../client/in-process.js'
import { Informers } from '../client/informers/informers.js'
import type { Transport } from '../client/transport.js'
import type { SchedulingAttempt } from './attempts/attempt-log.js'
import { ParallelEventRecorder } from './attempts/parallel-event-recorder.js'
import { AffinityTermsCache } from './cache/affinity-terms.js'
import { ClusterCache } from './cache/cluster-cache.js'
import { defaultProfile } from './configuration/profile-factory.js'
import { registerEventHandlers, unfinishedPods } from './event-handlers.js'
import type { Extender } from './extenders/extender.js'
import type { ProfileFactory, SchedulerProfile } from './framework/profile.js'
import { SchedulingQueue, type SchedulingQueueOptions } from './queue/scheduling-queue.js'
import { SchedulingLoop } from './scheduling-loop.js'

export interface SchedulerOptions {
  readonly environment: Environment
  /** The connection to the API server. The scheduler closes it. */
  readonly transport: Transport
  /** By scheduler name; only the default profile if left out. */
  readonly profiles?: Readonly<Record<string, ProfileFactory>>
  readonly extenders?: readonly Extender[]
  readonly queue?: SchedulingQueueOptions
}

export interface RunningScheduler {
  /** Resolves when the informers have the whole cluster. */
  synced(): Promise<void>
  /** The last attempts of a pod, by `namespace/name`, the oldest first. */
  attempts(key: string): readonly SchedulingAttempt[]
  /** Why it does not work; undefined while it works. */
  problem(): string | undefined
  /** Starts nothing more, and resolves when running work has ended or was aborted. */
  close(): Promise<void>
}

const defaultProfiles: Readonly<Record<string, ProfileFactory>> = { 'default-scheduler': defaultProfile }

export function startScheduler(options: SchedulerOptions): RunningScheduler {
  const { environment, transport, extenders = [] } = options
  const client = new Client(transport, { clock: environment.clock })
  const informers = new Informers(client, environment)
  const profiles = createProfiles(options, informers)
  const recorders = new Map<string, ParallelEventRecorder>()
  for (const name of profiles.keys())
    recorders.set(name, new ParallelEventRecorder(client, { component: name }, environment))
  const report = (error: unknown) => environment.log.error('queueing hint failed', { error })
  const affinityTerms = new AffinityTermsCache()
  const queue = new SchedulingQueue(environment.clock, profiles, { report, affinityTerms, ...options.queue })
  const cache = new ClusterCache(affinityTerms)
  const events = (name: string) => recorders.get(name)!
  const pods = informers.of(Pod, unfinishedPods)
  const loop = new SchedulingLoop({ environment, client, events, profiles, cache, queue, pods, extenders })
  const isResponsible = ({ spec }: Pod) => profiles.has(spec.schedulerName ?? '')
  registerEventHandlers(informers, { cache, queue, isResponsible })
  let problem: string | undefined = 'the scheduler has not read all objects yet'
  let isClosed = false
  const running = informers.synced().then(() => {
    if (!isClosed) problem = undefined
    return loop.run()
  })
  running.catch((error: unknown) => {
    if (isClosed) return
    problem = `the scheduler has stopped: ${error instanceof Error ? error.message : String(error)}`
    environment.log.error('scheduling loop ended', { error })
  })
  return {
    synced: () => informers.synced(),
    attempts: (key) => loop.attempts.of(key),
    problem: () => problem,
    async close() {
      isClosed = true
      problem = 'the scheduler has stopped'
      loop.close()
      await informers.close()
      await Promise.all([...recorders.values()].map((recorder) => recorder.close()))
      transport.close()
      await running.catch(() => {}) // logged above, or never begun
    },
  }
}

function createProfiles(options: SchedulerOptions, informers: Informers): ReadonlyMap<string, SchedulerProfile> {
  const { profiles = defaultProfiles, extenders = [] } = options
  return new Map(
    Object.entries(profiles).map(([schedulerName, create]) => [
      schedulerName,
      create({ informers, schedulerName, extenders }),
    ]),
  )
}

/** The transport to an API server in the same process, with the identity of the scheduler. */
export function schedulerTransport(handle: InProcessHandler): Transport {
  const user = { name: 'system:kube-scheduler', uid: '', groups: ['system:authenticated'], extra: {} }
  return inProcessTransport({ handle, user, userAgent: 'kube-scheduler' })
}
