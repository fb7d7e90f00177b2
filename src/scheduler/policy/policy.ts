import { readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { formatDuration } from '../../base/duration.js'
import { declarationsIn } from '../../schema/declaration.js'
import { decodeValue } from '../../schema/decode/decoder.js'
import { setDefaults } from '../../schema/defaults.js'
import * as field from '../../schema/field-errors.js'
import { fieldPath } from '../../schema/field-path.js'
import { Scheme } from '../../schema/scheme.js'
import { parseYaml } from '../../wire/yaml.js'
import type { ExtenderConfiguration } from '../configuration/declarations.js'
import { extenderSettings, ignoredResources } from '../configuration/extender-settings.js'
import { validateExtenders } from '../configuration/validation.js'
import type { ExtenderSettings } from '../extenders/settings.js'
import { createPlugin } from '../framework/declaration.js'
import type { SchedulerPlugin, SchedulerPluginDependencies } from '../framework/plugin.js'
import type { ProfileFactory, SchedulerProfile } from '../framework/profile.js'
import { defaultBinder } from '../plugins/default-binder.js'
import { defaultPreemption } from '../plugins/default-preemption/plugin.js'
import { dynamicResources } from '../plugins/dynamic-resources.js'
import { prioritySort } from '../plugins/priority-sort.js'
import { isMissingPlugin, pluginRegistry } from '../plugins/registry.js'
import { schedulingGates } from '../plugins/scheduling-gates.js'
import { allFilters } from './all-filters.js'
import type { PolicyExtender, SchedulerPolicy } from './declarations.js'
import * as declarations from './declarations.js'
import { nodeLabels } from './node-label.js'
import { policyFilters } from './predicates.js'
import { type PolicyPluginContext, policyScores } from './priorities.js'
import { serviceAffinity, serviceSelector } from './service-affinity.js'
import { validatePolicy } from './validation.js'

const scheme = new Scheme({ declarations: declarationsIn([declarations]), groups: [] })

/** What a policy file says, ready for `startScheduler`. */
export interface SchedulerPolicySettings {
  readonly profile: ProfileFactory
  readonly extenders: readonly ExtenderSettings[]
  /** Settings that have no effect, for the log. */
  readonly warnings: readonly string[]
}

/** Reads the file of the flag `--policy-config-file`. Throws an error that names every invalid field. */
export async function loadSchedulerPolicy(path: string): Promise<SchedulerPolicySettings> {
  try {
    const { value } = await parseYaml(readFileSync(path, 'utf8'))
    return policySettings(value, dirname(path))
  } catch (error) {
    throw new Error(`invalid scheduler policy ${path}: ${(error as Error).message}`, { cause: error })
  }
}

/** @param folder against which relative paths in the policy are resolved */
export function policySettings(value: unknown, folder: string): SchedulerPolicySettings {
  const policy = decodePolicy(value ?? {})
  const extenders = (policy.extenders ?? []).map(extenderConfiguration)
  const errors = [...validatePolicy(policy), ...validateExtenders(extenders, fieldPath('extenders'))]
  if (errors.length > 0) throw new Error(field.aggregateMessages(errors.map(String)))
  const ignored = ignoredResources(extenders)
  const missing = policy.predicates ? policyFilters(policy.predicates).filter(isMissingPlugin) : []
  return {
    profile: (dependencies) => policyProfile(policy, ignored, dependencies),
    extenders: extenders.map((extender) => extenderSettings(extender, folder)),
    warnings: missing.map((name) => `scheduler plugin ${name} does not exist here: its predicates have no effect`),
  }
}

function decodePolicy(value: unknown = {}): SchedulerPolicy {
  const { apiVersion = 'v1', kind = 'Policy' } = value as SchedulerPolicy
  if (apiVersion !== 'v1' || kind !== 'Policy') throw new Error('expected a Policy of v1')
  const type = scheme.type('policy.scheduler/v1.Policy')
  const { object } = decodeValue(type, value, 'Strict')
  setDefaults(type, object)
  return { ...emptyLists(value as SchedulerPolicy), ...object }
}

/** Decoding drops empty lists. Here an empty list means none, and an absent list means the defaults. */
function emptyLists({ predicates, priorities }: SchedulerPolicy): SchedulerPolicy {
  return { ...(predicates?.length === 0 && { predicates }), ...(priorities?.length === 0 && { priorities }) }
}

function extenderConfiguration({ enableHttps, httpTimeout, ...rest }: PolicyExtender): ExtenderConfiguration {
  const timeout = typeof httpTimeout === 'number' ? formatDuration(BigInt(httpTimeout)) : httpTimeout
  return {
    ...rest,
    ...(enableHttps && { enableHTTPS: true }),
    ...(timeout !== undefined && timeout !== null && { httpTimeout: String(timeout) }),
  }
}

function policyProfile(
  policy: SchedulerPolicy,
  ignored: readonly string[],
  dependencies: SchedulerPluginDependencies,
): SchedulerProfile {
  const weight = policy.hardPodAffinitySymmetricWeight
  const args = new Map<string, object>([
    ['NodeResourcesFit', { ignoredResources: ignored }],
    ...(weight ? [['InterPodAffinity', { hardPodAffinityWeight: weight }] as const] : []),
    // Pods without spread constraints are spread by SelectorSpreadPriority.
    ['PodTopologySpread', { defaultingType: 'List' }],
  ])
  const context = { dependencies, args }
  const filters = policyFilters(policy.predicates).flatMap((name) => createFilter(name, policy, context))
  return {
    schedulerName: dependencies.schedulerName,
    queueSort: [createPlugin(prioritySort, dependencies)],
    preEnqueue: [createPlugin(schedulingGates, dependencies)],
    filter: policy.alwaysCheckAllPredicates ? [allFilters(filters)] : filters,
    postFilter: [createPlugin(dynamicResources, dependencies), createPlugin(defaultPreemption, dependencies)],
    score: policyScores(policy.priorities, context),
    bind: [createPlugin(defaultBinder, dependencies)],
    percentageOfNodesToScore: 0,
  }
}

/** Empty for a plugin that this scheduler does not have. */
function createFilter(
  name: string,
  { predicates = [] }: SchedulerPolicy,
  { dependencies, args }: PolicyPluginContext,
): readonly SchedulerPlugin[] {
  if (name === 'NodeLabel') {
    const given = predicates.flatMap(({ argument }) => argument?.labelsPresence ?? [])
    return [nodeLabels(given.map(({ labels = [], presence = false }) => ({ labels, presence })))]
  }
  if (name === 'ServiceAffinity') {
    const labels = predicates.flatMap(({ argument }) => argument?.serviceAffinity?.labels ?? [])
    return [serviceAffinity(labels, serviceSelector(dependencies.informers))]
  }
  const declaration = pluginRegistry.get(name)
  return declaration ? [createPlugin(declaration, dependencies, args.get(name))] : []
}
