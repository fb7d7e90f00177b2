import type { Environment } from '../base/environment.js'
import { UsageError } from '../base/flags/flags.js'
import type { ElectionSettings } from '../scheduler/configuration/configuration.js'
import type { ExtenderSettings } from '../scheduler/extenders/settings.js'
import type { SchedulerParts } from '../scheduler/scheduler.js'
import type { SchedulerFlags } from './scheduler-flags.js'

/** How the scheduler is to be started, whoever says so. */
export interface Settings {
  readonly scheduler: Pick<SchedulerParts, 'profiles' | 'extenders' | 'queue'>
  readonly election: ElectionSettings
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

function electionBy(flags: SchedulerFlags): ElectionSettings {
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
  const { loadConfiguration } = await import('../scheduler/configuration/configuration.js')
  const { profiles, queue, leaderElection, kubeconfig, ...rest } = await loadConfiguration(path)
  return {
    scheduler: { profiles, queue, extenders: await told(rest, environment) },
    election: leaderElection,
    ...(kubeconfig !== undefined && { kubeconfig }),
  }
}

async function byPolicy(path: string, environment: Environment): Promise<Settings['scheduler']> {
  const { loadPolicy } = await import('../scheduler/policy/policy.js')
  const { profile, ...rest } = await loadPolicy(path)
  return { profiles: { 'default-scheduler': profile }, extenders: await told(rest, environment) }
}

interface Read {
  readonly extenders: readonly ExtenderSettings[]
  readonly warnings: readonly string[]
}

async function told(
  { extenders, warnings }: Read,
  { log, clock }: Environment,
): Promise<SchedulerParts['extenders'] & {}> {
  for (const warning of warnings) log.warn(warning)
  if (extenders.length === 0) return []
  const { httpExchange } = await import('../scheduler/extenders/http-transport.js')
  const { httpExtender } = await import('../scheduler/extenders/http-extender.js')
  return extenders.map((settings) => {
    const { timeout, tls } = settings
    return httpExtender(settings, httpExchange({ clock, timeout, ...(tls && { tls }) }))
  })
}
