import { readFileSync } from 'node:fs'
import { parseYaml } from '../../wire/yaml.js'

export const auditLevels = ['None', 'Metadata', 'Request', 'RequestResponse'] as const
/** How much of a request is recorded. */
export type AuditLevel = (typeof auditLevels)[number]

export const auditStages = ['RequestReceived', 'ResponseStarted', 'ResponseComplete', 'Panic'] as const
/** The stage of a request at which an event is recorded. */
export type AuditStage = (typeof auditStages)[number]

export interface AuditPolicy {
  readonly rules: readonly AuditPolicyRule[]
  readonly omitStages: readonly AuditStage[]
  readonly omitManagedFields: boolean
}

/** A field that is left out matches everything. */
export interface AuditPolicyRule {
  readonly level: AuditLevel
  readonly users?: readonly string[]
  readonly userGroups?: readonly string[]
  readonly verbs?: readonly string[]
  readonly resources?: readonly GroupResources[]
  /** `''` matches cluster-wide objects. */
  readonly namespaces?: readonly string[]
  readonly nonResourceURLs?: readonly string[]
  readonly omitStages?: readonly AuditStage[]
  readonly omitManagedFields?: boolean
}

export interface GroupResources {
  readonly group?: string
  /** `pods`, `pods/log`, `pods/*`, a star and a subresource, or a star. */
  readonly resources?: readonly string[]
  readonly resourceNames?: readonly string[]
}

/** Throws if the file is not a valid policy. */
export async function loadAuditPolicy(path: string): Promise<AuditPolicy> {
  const { value } = await parseYaml(readFileSync(path, 'utf8'))
  try {
    return readAuditPolicy(value)
  } catch (error) {
    throw new Error(`invalid audit policy ${path}: ${(error as Error).message}`)
  }
}

export function readAuditPolicy(value: unknown): AuditPolicy {
  const { apiVersion, kind, rules, omitStages, omitManagedFields } = (value ?? {}) as Partial<AuditPolicy & PolicyType>
  if (apiVersion !== 'audit.k8s.io/v1' || kind !== 'Policy') throw new Error('must be a Policy of audit.k8s.io/v1')
  if (!Array.isArray(rules) || rules.length === 0) throw new Error('has no rules')
  checkStages(omitStages, 'omitStages')
  for (const [index, rule] of rules.entries()) checkRule(rule, `rules[${index}]`)
  return { rules, omitStages: omitStages ?? [], omitManagedFields: omitManagedFields ?? false }
}

interface PolicyType {
  readonly apiVersion: string
  readonly kind: string
}

const listFields = ['users', 'userGroups', 'verbs', 'resources', 'namespaces', 'nonResourceURLs'] as const

function checkRule(rule: AuditPolicyRule, where: string): void {
  if (!auditLevels.includes(rule.level)) throw new Error(`${where}.level must be one of ${auditLevels.join(', ')}`)
  checkStages(rule.omitStages, `${where}.omitStages`)
  const notList = listFields.find((name) => rule[name] !== undefined && !Array.isArray(rule[name]))
  if (notList !== undefined) throw new Error(`${where}.${notList} must be a list`)
  const { nonResourceURLs = [], resources = [], namespaces = [] } = rule
  if (nonResourceURLs.length > 0 && (resources.length > 0 || namespaces.length > 0))
    throw new Error(`${where} must not name both resources and nonResourceURLs`)
  for (const url of nonResourceURLs)
    if (url !== '*' && (!url.startsWith('/') || url.slice(0, -1).includes('*')))
      throw new Error(`${where}.nonResourceURLs must be paths; only the last character may be a star`)
  for (const { resources: names = [], resourceNames = [] } of resources)
    if (resourceNames.length > 0 && names.length === 0) throw new Error(`${where} has resourceNames without resources`)
}

function checkStages(stages: readonly AuditStage[] | undefined, where: string): void {
  const bad = (stages ?? []).find((stage) => !auditStages.includes(stage))
  if (bad !== undefined) throw new Error(`${where} must contain only ${auditStages.join(', ')}`)
}
