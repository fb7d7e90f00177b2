import type { Environment } from '../base/environment.js'
import { UsageError } from '../base/flags/flags.js'
import type { SchedulerElectionSettings } from '../scheduler/configuration/configuration.js'
import type { ExtenderSettings } from '../scheduler/extenders/settings.js'
import type { SchedulerOptions } from '../scheduler/scheduler.js'
import type { SchedulerFlags } from './scheduler-flags.js'

/** How the scheduler is to be started, whoever says so. */
export interface Settings {
  readonly scheduler: Pick<SchedulerOptions, 'profiles' | 'extenders' | 'queue'>
  readonly election: SchedulerElectionSettings
  readonly kubeconfig?: string
}

/** What a file says comes before what the flags say, as it is with upstream. */
export async function settingsBy(flags: SchedulerFlags, environment: Environment): Promise<Settings> {
  const { config, 'policy-config-file': policy } = flags
  if (config !== undefined && policy !== undefined)
    throw new UsageError('--config and --policy-config-file both say how pods are placed: give one of them')
  if (config !== undefined) return configured(config, environment)
  const election = electionBy(flags)
  return { election, scheduler: policy === undefined ? {} : await byPolicy(policy, environment) }
}

function electionBy(flags: SchedulerFlags): SchedulerElectionSettings {
  return {
    isElected: flags['leader-elect'],
    leaseDuration: flags['leader-elect-lease-duration'],
    renewDeadline: flags['leader-elect-renew-deadline'],
    retryPeriod: flags['leader-elect-retry-period'],
    name: flags['leader-elect-resource-name'],
    namespace: flags['leader-elect-resource-namespace'],
  }
}

async function configured(path: string, environment: Environment): Promise<Settings> {
  const { loadSchedulerConfiguration } = await import('../scheduler/configuration/configuration.js')
  const { profiles, queue, leaderElection, kubeconfig, ...rest } = await loadSchedulerConfiguration(path)
  return {
    scheduler: { profiles, queue, extenders: await told(rest, environment) },
    election: leaderElection,
    ...(kubeconfig !== undefined && { kubeconfig }),
  }
}

async function byPolicy(path: string, environment: Environment): Promise<Settings['scheduler']> {
  const { loadSchedulerPolicy } = await import('../scheduler/policy/policy.js')
  const { profile, ...rest } = await loadSchedulerPolicy(path)
  return { profiles: { 'default-scheduler': profile }, extenders: await told(rest, environment) }
}

interface Read {
  readonly extenders: readonly ExtenderSettings[]
  readonly warnings: readonly string[]
}

async function told(
  { extenders, warnings }: Read,
  { log, clock }: Environment,
): Promise<SchedulerOptions['extenders'] & {}> {
  for (const warning of warnings) log.warn(warning)
  if (extenders.length === 0) return []
  const { httpExtenderTransport } = await import('../scheduler/extenders/http-transport.js')
  const { httpExtender } = await import('../scheduler/extenders/http-extender.js')
  return extenders.map((settings) => {
    const { timeout, tls } = settings
    return httpExtender(settings, httpExtenderTransport({ clock, timeout, ...(tls && { tls }) }))
  })
}
