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
import { isMissed } from '../configuration/known-plugins.js'
import { registry } from '../configuration/registry.js'
import { validateExtenders } from '../configuration/validation.js'
import type { ExtenderSettings } from '../extenders/settings.js'
import type { SchedulerPlugin, SchedulerPluginDependencies } from '../framework/plugin.js'
import type { SchedulerProfile } from '../framework/profile.js'
import type { ProfileFactory } from '../scheduler.js'
import { allFilters } from './all-filters.js'
import type { PolicyExtender, SchedulerPolicy } from './declarations.js'
import * as declarations from './declarations.js'
import { nodeLabels } from './node-label.js'
import { policyFilters } from './predicates.js'
import { policyScores } from './priorities.js'
import { serviceAffinity } from './service-affinity.js'
import { serviceSelector } from './services.js'
import { validatePolicy } from './validation.js'

const scheme = new Scheme({ declarations: declarationsIn([declarations]), groups: [] })

/** What a policy says of how pods are placed. */
export interface SchedulerPolicySettings {
  readonly profile: ProfileFactory
  readonly extenders: readonly ExtenderSettings[]
  /** What the file says and nobody here minds. */
  readonly warnings: readonly string[]
}

/** Reads the file that `--policy-config-file` names. Throws, in a sentence that names every field that is wrong. */
export async function loadSchedulerPolicy(path: string): Promise<SchedulerPolicySettings> {
  try {
    const { value } = await parseYaml(readFileSync(path, 'utf8'))
    return policySettings(value, dirname(path))
  } catch (error) {
    throw new Error(`the scheduler policy ${path} cannot be used: ${(error as Error).message}`, { cause: error })
  }
}

/** @param folder from which on files are found that the policy names */
export function policySettings(value: unknown, folder: string): SchedulerPolicySettings {
  const policy = read(value ?? {})
  const extenders = (policy.extenders ?? []).map(modern)
  const errors = [...validatePolicy(policy), ...validateExtenders(extenders, fieldPath('extenders'))]
  if (errors.length > 0) throw new Error(field.aggregated(errors.map(String)))
  const ignored = ignoredResources(extenders)
  const missed = policy.predicates ? policyFilters(policy.predicates).filter(isMissed) : []
  return {
    profile: (parts) => profileBy(policy, ignored, parts),
    extenders: extenders.map((extender) => extenderSettings(extender, folder)),
    warnings: missed.map((name) => `there is no plugin ${name} in this scheduler: its predicates have no effect`),
  }
}

function read(value: unknown = {}): SchedulerPolicy {
  const { apiVersion = 'v1', kind = 'Policy' } = value as SchedulerPolicy
  if (apiVersion !== 'v1' || kind !== 'Policy') throw new Error('it must be a Policy of v1')
  const type = scheme.type('policy.scheduler/v1.Policy')
  const { object } = decodeValue(type, value, 'Strict')
  setDefaults(type, object)
  return { ...emptyLists(value as SchedulerPolicy), ...object }
}

/** A list of none is not the usual list: it asks for none. */
function emptyLists({ predicates, priorities }: SchedulerPolicy): SchedulerPolicy {
  return { ...(predicates?.length === 0 && { predicates }), ...(priorities?.length === 0 && { priorities }) }
}

function modern({ enableHttps, httpTimeout, ...rest }: PolicyExtender): ExtenderConfiguration {
  const timeout = typeof httpTimeout === 'number' ? formatDuration(BigInt(httpTimeout)) : httpTimeout
  return {
    ...rest,
    ...(enableHttps && { enableHTTPS: true }),
    ...(timeout !== undefined && timeout !== null && { httpTimeout: String(timeout) }),
  }
}

function profileBy(
  policy: SchedulerPolicy,
  ignoredResources: readonly string[],
  parts: SchedulerPluginDependencies,
): SchedulerProfile {
  const weight = policy.hardPodAffinitySymmetricWeight
  const args = new Map<string, unknown>([
    ['NodeResourcesFit', { ignoredResources }],
    ...(weight ? [['InterPodAffinity', { hardPodAffinityWeight: weight }] as const] : []),
    // What pods are spread by that say nothing, another priority says.
    ['PodTopologySpread', { defaultingType: 'List' }],
  ])
  const filters = policyFilters(policy.predicates).flatMap((name) => filterOf(name, policy, { parts, args }))
  return {
    schedulerName: parts.schedulerName,
    preEnqueue: [registry.SchedulingGates!(parts)],
    filter: policy.alwaysCheckAllPredicates ? [allFilters(filters)] : filters,
    score: policyScores(policy.priorities, { parts, args }),
    postFilter: [registry.DynamicResources!(parts), registry.DefaultPreemption!(parts)],
    percentageOfNodesToScore: 0,
  }
}

function filterOf(
  name: string,
  { predicates = [] }: SchedulerPolicy,
  { parts, args }: { readonly parts: SchedulerPluginDependencies; readonly args: ReadonlyMap<string, unknown> },
): readonly SchedulerPlugin[] {
  if (name === 'NodeLabel') {
    const rules = predicates.flatMap(({ argument }) => argument?.labelsPresence ?? [])
    return [nodeLabels(rules.map(({ labels = [], presence = false }) => ({ labels, presence })))]
  }
  if (name === 'ServiceAffinity') {
    const labels = predicates.flatMap(({ argument }) => argument?.serviceAffinity?.labels ?? [])
    return [serviceAffinity(labels, serviceSelector(parts.informers))]
  }
  const make = registry[name]
  return make ? [make(parts, args.get(name))] : []
}
