import { readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import * as field from '../../schema/field-errors.js'
import { parseYaml } from '../../wire/yaml.js'
import type { ExtenderSettings } from '../extenders/settings.js'
import type { SchedulingQueueOptions } from '../queue/scheduling-queue.js'
import type { ProfileFactory } from '../scheduler.js'
import type { KubeSchedulerConfiguration, KubeSchedulerProfile, PluginConfig, PluginSet } from './declarations.js'
import { extenderSettings, ignoredResources } from './extender-settings.js'
import { isHere, isMissed } from './known-plugins.js'
import { pluginsAt } from './plugin-sets.js'
import { profileOf } from './profile-plugins.js'
import { configurationVersion, readAs } from './read.js'
import { parseMilliseconds, validateConfiguration } from './validation.js'

/** How a scheduler is to be started. */
export interface SchedulerSettings {
  readonly profiles: Readonly<Record<string, ProfileFactory>>
  readonly extenders: readonly ExtenderSettings[]
  readonly queue: SchedulingQueueOptions
  readonly leaderElection: SchedulerElectionSettings
  /** Where the API server is, unless a flag says so. */
  readonly kubeconfig?: string
  /** What the file says and nobody here minds. */
  readonly warnings: readonly string[]
}

/** Times are milliseconds. */
export interface SchedulerElectionSettings {
  readonly isElected: boolean
  readonly leaseDuration: number
  readonly renewDeadline: number
  readonly retryPeriod: number
  readonly name: string
  readonly namespace: string
}

/** Reads the file that `--config` names. Throws, in a sentence that names every field that is wrong. */
export async function loadSchedulerConfiguration(path: string): Promise<SchedulerSettings> {
  try {
    const { value, duplicates } = await parseYaml(readFileSync(path, 'utf8'))
    if (duplicates.length > 0) throw new Error(duplicates.join(', '))
    return schedulerSettings(value, dirname(path))
  } catch (error) {
    throw new Error(`the scheduler configuration ${path} cannot be used: ${(error as Error).message}`, { cause: error })
  }
}

/** @param folder from which on files are found that the configuration names */
export function schedulerSettings(value: unknown, folder: string): SchedulerSettings {
  const { apiVersion, kind } = (value ?? {}) as Partial<KubeSchedulerConfiguration>
  if (apiVersion !== configurationVersion || kind !== 'KubeSchedulerConfiguration')
    throw new Error(`it must be a KubeSchedulerConfiguration of ${configurationVersion}`)
  const configuration = withProfiles(readAs('KubeSchedulerConfiguration', value))
  const errors = validateConfiguration(configuration)
  if (errors.length > 0) throw new Error(field.aggregated(errors.map(String)))
  const { extenders = [], clientConnection = {}, profiles = [] } = configuration
  const ignored = ignoredResources(extenders)
  return {
    profiles: Object.fromEntries(
      profiles.map((profile) => [profile.schedulerName!, profileFactory(profile, configuration, ignored)]),
    ),
    extenders: extenders.map((extender) => extenderSettings(extender, folder)),
    queue: {
      initial: configuration.podInitialBackoffSeconds! * 1000,
      max: configuration.podMaxBackoffSeconds! * 1000,
    },
    leaderElection: electionOf(configuration),
    ...(clientConnection.kubeconfig && { kubeconfig: clientConnection.kubeconfig }),
    warnings: profiles.flatMap(warningsAbout),
  }
}

/** Of several profiles each must be named. */
function withProfiles(configuration: KubeSchedulerConfiguration): KubeSchedulerConfiguration {
  const { profiles = [] } = configuration
  if (profiles.length > 1) return configuration
  const [{ schedulerName = 'default-scheduler', ...rest } = {}] = profiles
  return { ...configuration, profiles: [{ ...rest, schedulerName }] }
}

function electionOf({ leaderElection = {} }: KubeSchedulerConfiguration): SchedulerElectionSettings {
  const { leaderElect = true, leaseDuration, renewDeadline, retryPeriod } = leaderElection
  return {
    isElected: leaderElect,
    leaseDuration: parseMilliseconds(leaseDuration!) ?? 0,
    renewDeadline: parseMilliseconds(renewDeadline!) ?? 0,
    retryPeriod: parseMilliseconds(retryPeriod!) ?? 0,
    name: leaderElection.resourceName!,
    namespace: leaderElection.resourceNamespace!,
  }
}

function profileFactory(
  { plugins, pluginConfig = [], percentageOfNodesToScore }: KubeSchedulerProfile,
  configuration: KubeSchedulerConfiguration,
  ignored: readonly string[],
): ProfileFactory {
  const chosen = {
    gates: pluginsAt('preEnqueue', plugins),
    filters: pluginsAt('filter', plugins),
    scores: pluginsAt('score', plugins),
    rescues: pluginsAt('postFilter', plugins),
    args: argumentsOf(pluginConfig, ignored),
    percentageOfNodesToScore: percentageOfNodesToScore ?? configuration.percentageOfNodesToScore ?? 0,
  }
  return (parts) => profileOf(chosen, parts)
}

/** What extenders look after is no longer the business of the rule about resources. */
function argumentsOf(configs: readonly PluginConfig[], ignored: readonly string[]): ReadonlyMap<string, unknown> {
  const args = new Map<string, unknown>()
  for (const { name, args: given } of configs) if (isHere(name)) args.set(name, readAs(`${name}Args`, given))
  if (ignored.length === 0) return args
  const fit = readAs<{ ignoredResources?: readonly string[] }>('NodeResourcesFitArgs', args.get('NodeResourcesFit'))
  return args.set('NodeResourcesFit', { ...fit, ignoredResources: [...(fit.ignoredResources ?? []), ...ignored] })
}

function warningsAbout({ plugins = {}, pluginConfig = [] }: KubeSchedulerProfile): readonly string[] {
  const enabled = Object.values(plugins as Readonly<Record<string, PluginSet>>).flatMap((set) => set.enabled ?? [])
  const names = new Set([...enabled, ...pluginConfig].map(({ name }) => name))
  return [...names]
    .filter(isMissed)
    .map((name) => `there is no plugin ${name} in this scheduler: what the configuration says of it has no effect`)
}
