import { readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import * as field from '../../schema/field-errors.js'
import { parseYaml } from '../../wire/yaml.js'
import type { ExtenderSettings } from '../extenders/settings.js'
import { configurationVersion } from '../framework/plugin-arguments.js'
import type { ProfileFactory } from '../framework/profile.js'
import type { NodeResourcesFitArgs } from '../plugins/node-resources/arguments.js'
import { nodeResourcesFit } from '../plugins/node-resources/fit.js'
import { isMissingPlugin, pluginRegistry } from '../plugins/registry.js'
import type { SchedulingQueueOptions } from '../queue/scheduling-queue.js'
import type { KubeSchedulerConfiguration, KubeSchedulerProfile, PluginConfig, PluginSet } from './declarations.js'
import { decodeArguments, decodeConfiguration } from './decoding.js'
import { extenderSettings, ignoredResources } from './extender-settings.js'
import { enabledAt } from './plugin-sets.js'
import { createProfile } from './profile-factory.js'
import { parseMilliseconds, validateConfiguration } from './validation.js'

/** What a configuration file says, ready for `startScheduler`. */
export interface SchedulerConfigurationSettings {
  readonly profiles: Readonly<Record<string, ProfileFactory>>
  readonly extenders: readonly ExtenderSettings[]
  readonly queue: SchedulingQueueOptions
  readonly leaderElection: SchedulerElectionSettings
  /** Used unless the flag `--kubeconfig` is given. */
  readonly kubeconfig?: string
  /** Settings that have no effect, for the log. */
  readonly warnings: readonly string[]
}

/** Durations are in milliseconds. */
export interface SchedulerElectionSettings {
  readonly isElected: boolean
  readonly leaseDuration: number
  readonly renewDeadline: number
  readonly retryPeriod: number
  readonly name: string
  readonly namespace: string
}

/** Reads the file of the flag `--config`. Throws an error that names every invalid field. */
export async function loadSchedulerConfiguration(path: string): Promise<SchedulerConfigurationSettings> {
  try {
    const { value, duplicates } = await parseYaml(readFileSync(path, 'utf8'))
    if (duplicates.length > 0) throw new Error(duplicates.join(', '))
    return configurationSettings(value, dirname(path))
  } catch (error) {
    const { message } = error as Error
    throw new Error(`invalid scheduler configuration ${path}: ${message}`, { cause: error })
  }
}

/** @param folder against which relative paths in the configuration are resolved */
export function configurationSettings(value: unknown, folder: string): SchedulerConfigurationSettings {
  const { apiVersion, kind } = (value ?? {}) as Partial<KubeSchedulerConfiguration>
  if (apiVersion !== configurationVersion || kind !== 'KubeSchedulerConfiguration')
    throw new Error(`expected a KubeSchedulerConfiguration of ${configurationVersion}`)
  const decoded = decodeConfiguration<KubeSchedulerConfiguration>('KubeSchedulerConfiguration', value)
  const configuration = withProfiles(decoded)
  const errors = validateConfiguration(configuration)
  if (errors.length > 0) throw new Error(field.aggregateMessages(errors.map(String)))
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
    warnings: profiles.flatMap(missingPluginWarnings),
  }
}

/** A single profile may leave out its name. */
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
    enabled: {
      queueSort: enabledAt('queueSort', plugins),
      preEnqueue: enabledAt('preEnqueue', plugins),
      filter: enabledAt('filter', plugins),
      postFilter: enabledAt('postFilter', plugins),
      score: enabledAt('score', plugins),
      bind: enabledAt('bind', plugins),
    },
    args: pluginArguments(pluginConfig, ignored),
    percentageOfNodesToScore: percentageOfNodesToScore ?? configuration.percentageOfNodesToScore ?? 0,
  }
  return (dependencies) => createProfile(chosen, dependencies)
}

/** By plugin name. NodeResourcesFit ignores the resources that extenders manage. */
function pluginArguments(configs: readonly PluginConfig[], ignored: readonly string[]): ReadonlyMap<string, object> {
  const args = new Map<string, object>()
  for (const { name, args: given } of configs) {
    const plugin = pluginRegistry.get(name)
    if (plugin?.arguments) args.set(name, decodeArguments(plugin, given))
  }
  if (ignored.length === 0) return args
  const { name } = nodeResourcesFit
  const fit: NodeResourcesFitArgs = args.get(name) ?? decodeArguments(nodeResourcesFit, {})
  return args.set(name, { ...fit, ignoredResources: [...(fit.ignoredResources ?? []), ...ignored] })
}

function missingPluginWarnings({ plugins = {}, pluginConfig = [] }: KubeSchedulerProfile): readonly string[] {
  const enabled = Object.values(plugins as Readonly<Record<string, PluginSet>>).flatMap((set) => set.enabled ?? [])
  const names = new Set([...enabled, ...pluginConfig].map(({ name }) => name))
  return [...names]
    .filter(isMissingPlugin)
    .map((name) => `scheduler plugin ${name} does not exist here: its configuration has no effect`)
}
