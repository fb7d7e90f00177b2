/** The mandatory flow schemas and priority levels: `exempt` for cluster administrators, `catch-all` for all other requests. */
import type { FlowSchemaSpec, PolicyRulesWithSubjects } from './flow-schema.js'
import type { PriorityLevelConfigurationSpec } from './priority-level-configuration.js'

export const mandatoryFlowSchemas: Readonly<Record<string, FlowSchemaSpec>> = {
  exempt: {
    priorityLevelConfiguration: { name: 'exempt' },
    matchingPrecedence: 1,
    rules: [everythingOf('system:masters')],
  },
  'catch-all': {
    priorityLevelConfiguration: { name: 'catch-all' },
    matchingPrecedence: 10_000,
    distinguisherMethod: { type: 'ByUser' },
    rules: [everythingOf('system:unauthenticated', 'system:authenticated')],
  },
}

function everythingOf(...groups: readonly string[]): PolicyRulesWithSubjects {
  return {
    subjects: groups.map((name) => ({ kind: 'Group', group: { name } })),
    resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'], clusterScope: true, namespaces: ['*'] }],
    nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
  }
}

export const mandatoryPriorityLevels: Readonly<Record<string, PriorityLevelConfigurationSpec>> = {
  exempt: { type: 'Exempt', exempt: { nominalConcurrencyShares: 0, lendablePercent: 0 } },
  'catch-all': {
    type: 'Limited',
    limited: { nominalConcurrencyShares: 5, limitResponse: { type: 'Reject' }, lendablePercent: 0 },
  },
}
