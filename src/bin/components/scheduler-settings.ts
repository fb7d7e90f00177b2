import type { Environment } from '../../base/environment.js'
import { optionalText } from '../../base/flags/flag-types.js'
import { type FlagValues, UsageError } from '../../base/flags/flags.js'
import type { SchedulerElectionSettings } from '../../scheduler/configuration/configuration.js'
import type { ExtenderSettings } from '../../scheduler/extenders/settings.js'
import type { SchedulerOptions } from '../../scheduler/scheduler.js'
import { componentFlags } from './component.js'

export const schedulerComponent = 'kube-scheduler'

/** The flags with upstream's names. `--help` shows them in this order. */
export const schedulerFlags = {
  config: optionalText('The file with a KubeSchedulerConfiguration. It overrides all other flags.', {
    placeholder: 'FILE',
  }),
  'policy-config-file': optionalText(
    'The file with a Policy of predicates and priorities, the older form of the configuration.',
    { placeholder: 'FILE' },
  ),
  ...componentFlags(schedulerComponent, 10_259),
}

export type SchedulerFlags = FlagValues<typeof schedulerFlags>

/** The settings of the scheduler, from flags or from a configuration file. */
export interface SchedulerSettings {
  readonly scheduler: Pick<SchedulerOptions, 'profiles' | 'extenders' | 'queue'>
  readonly election: SchedulerElectionSettings
  readonly kubeconfig?: string
}

/** Reads the settings. A configuration file takes precedence over flags, as upstream does it. */
export async function schedulerSettings(flags: SchedulerFlags, environment: Environment): Promise<SchedulerSettings> {
  const { config, 'policy-config-file': policy } = flags
  if (config !== undefined && policy !== undefined)
    throw new UsageError('--config and --policy-config-file both configure the scheduler: give only one of them')
  if (config !== undefined) return readConfiguration(config, environment)
  const election = electionFromFlags(flags)
  return { election, scheduler: policy === undefined ? {} : await readPolicy(policy, environment) }
}

function electionFromFlags(flags: SchedulerFlags): SchedulerElectionSettings {
  return {
    isElected: flags['leader-elect'],
    leaseDuration: flags['leader-elect-lease-duration'],
    renewDeadline: flags['leader-elect-renew-deadline'],
    retryPeriod: flags['leader-elect-retry-period'],
    name: flags['leader-elect-resource-name'],
    namespace: flags['leader-elect-resource-namespace'],
  }
}

async function readConfiguration(path: string, environment: Environment): Promise<SchedulerSettings> {
  const { loadSchedulerConfiguration } = await import('../../scheduler/configuration/configuration.js')
  const { profiles, queue, leaderElection, kubeconfig, ...rest } = await loadSchedulerConfiguration(path)
  return {
    scheduler: { profiles, queue, extenders: await createExtenders(rest, environment) },
    election: leaderElection,
    ...(kubeconfig !== undefined && { kubeconfig }),
  }
}

async function readPolicy(path: string, environment: Environment): Promise<SchedulerSettings['scheduler']> {
  const { loadSchedulerPolicy } = await import('../../scheduler/policy/policy.js')
  const { profile, ...rest } = await loadSchedulerPolicy(path)
  return { profiles: { 'default-scheduler': profile }, extenders: await createExtenders(rest, environment) }
}

interface ExtenderConfiguration {
  readonly extenders: readonly ExtenderSettings[]
  readonly warnings: readonly string[]
}

/** Logs the warnings of the file and connects to its extenders. */
async function createExtenders(
  { extenders, warnings }: ExtenderConfiguration,
  { log, clock }: Environment,
): Promise<SchedulerOptions['extenders'] & {}> {
  for (const warning of warnings) log.warn(warning)
  if (extenders.length === 0) return []
  const { httpExtenderTransport } = await import('../../scheduler/extenders/http-transport.js')
  const { httpExtender } = await import('../../scheduler/extenders/http-extender.js')
  return extenders.map((settings) => {
    const { timeout, tls } = settings
    return httpExtender(settings, httpExtenderTransport({ clock, timeout, ...(tls && { tls }) }))
  })
}
