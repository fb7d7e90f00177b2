import { bool, int32, list, oneOf, openEnumeration, ref, string, time, type Values } from '../../../schema/fields.js'
import type { Infer, Instance } from '../../../schema/infer.js'
import { ageColumn, column, kind, nameColumn, objectSubresource, schema } from '../../../schema/schema.js'
import { objectMetadata } from '../../meta/v1/object-meta.js'

export const FlowDistinguisherMethodType = openEnumeration('flowcontrol/v1.FlowDistinguisherMethodType', [
  'ByUser',
  'ByNamespace',
])
export type FlowDistinguisherMethodType = Values<typeof FlowDistinguisherMethodType>

export const ConditionStatus = openEnumeration('flowcontrol/v1.ConditionStatus', ['True', 'False', 'Unknown'])
export type ConditionStatus = Values<typeof ConditionStatus>

export const SubjectKind = openEnumeration('flowcontrol/v1.SubjectKind', ['User', 'Group', 'ServiceAccount'])
export type SubjectKind = Values<typeof SubjectKind>

export const FlowSchema = kind('flowcontrol/v1.FlowSchema', {
  optional: {
    metadata: objectMetadata,
    spec: ref<FlowSchemaSpec>(2, 'flowcontrol/v1.FlowSchemaSpec', { always: true }),
    status: ref<FlowSchemaStatus>(3, 'flowcontrol/v1.FlowSchemaStatus', { always: true }),
  },
  resource: {
    plural: 'flowschemas',
    subresources: { status: objectSubresource },
    columns: [
      nameColumn,
      column('PriorityLevel'),
      column('MatchingPrecedence'),
      column('DistinguisherMethod'),
      ageColumn,
      column('MissingPL'),
    ],
  },
})
export interface FlowSchema extends Instance<typeof FlowSchema> {}

export const FlowSchemaSpec = schema('flowcontrol/v1.FlowSchemaSpec', {
  required: {
    priorityLevelConfiguration: ref<PriorityLevelConfigurationReference>(
      1,
      'flowcontrol/v1.PriorityLevelConfigurationReference',
    ),
  },
  optional: {
    matchingPrecedence: int32(2, { default: 1000, always: true }),
    distinguisherMethod: ref<FlowDistinguisherMethod>(3, 'flowcontrol/v1.FlowDistinguisherMethod'),
    rules: list(4, ref<PolicyRulesWithSubjects>('flowcontrol/v1.PolicyRulesWithSubjects')),
  },
})
export interface FlowSchemaSpec extends Infer<typeof FlowSchemaSpec> {}

export const FlowDistinguisherMethod = schema('flowcontrol/v1.FlowDistinguisherMethod', {
  required: {
    type: oneOf(1, FlowDistinguisherMethodType),
  },
})
export interface FlowDistinguisherMethod extends Infer<typeof FlowDistinguisherMethod> {}

export const PriorityLevelConfigurationReference = schema('flowcontrol/v1.PriorityLevelConfigurationReference', {
  required: {
    name: string(1),
  },
})
export interface PriorityLevelConfigurationReference extends Infer<typeof PriorityLevelConfigurationReference> {}

export const PolicyRulesWithSubjects = schema('flowcontrol/v1.PolicyRulesWithSubjects', {
  required: {
    subjects: list(1, ref<Subject>('flowcontrol/v1.Subject')),
  },
  optional: {
    resourceRules: list(2, ref<ResourcePolicyRule>('flowcontrol/v1.ResourcePolicyRule')),
    nonResourceRules: list(3, ref<NonResourcePolicyRule>('flowcontrol/v1.NonResourcePolicyRule')),
  },
})
export interface PolicyRulesWithSubjects extends Infer<typeof PolicyRulesWithSubjects> {}

export const NonResourcePolicyRule = schema('flowcontrol/v1.NonResourcePolicyRule', {
  required: {
    verbs: list(1, string, { set: true }),
    nonResourceURLs: list(6, string, { set: true }),
  },
})
export interface NonResourcePolicyRule extends Infer<typeof NonResourcePolicyRule> {}

export const ResourcePolicyRule = schema('flowcontrol/v1.ResourcePolicyRule', {
  required: {
    verbs: list(1, string, { set: true }),
    apiGroups: list(2, string, { set: true }),
    resources: list(3, string, { set: true }),
  },
  optional: {
    clusterScope: bool(4),
    namespaces: list(5, string, { always: true, set: true }),
  },
})
export interface ResourcePolicyRule extends Infer<typeof ResourcePolicyRule> {}

export const Subject = schema('flowcontrol/v1.Subject', {
  required: {
    kind: oneOf(1, SubjectKind),
  },
  optional: {
    user: ref<UserSubject>(2, 'flowcontrol/v1.UserSubject'),
    group: ref<GroupSubject>(3, 'flowcontrol/v1.GroupSubject'),
    serviceAccount: ref<ServiceAccountSubject>(4, 'flowcontrol/v1.ServiceAccountSubject'),
  },
  unions: [{ discriminator: 'kind', fields: ['group', 'serviceAccount', 'user'] }],
})
export interface Subject extends Infer<typeof Subject> {}

export const GroupSubject = schema('flowcontrol/v1.GroupSubject', {
  required: {
    name: string(1),
  },
})
export interface GroupSubject extends Infer<typeof GroupSubject> {}

export const ServiceAccountSubject = schema('flowcontrol/v1.ServiceAccountSubject', {
  required: {
    namespace: string(1),
    name: string(2),
  },
})
export interface ServiceAccountSubject extends Infer<typeof ServiceAccountSubject> {}

export const UserSubject = schema('flowcontrol/v1.UserSubject', {
  required: {
    name: string(1),
  },
})
export interface UserSubject extends Infer<typeof UserSubject> {}

export const FlowSchemaStatus = schema('flowcontrol/v1.FlowSchemaStatus', {
  optional: {
    conditions: list(1, ref<FlowSchemaCondition>('flowcontrol/v1.FlowSchemaCondition'), {
      keys: ['type'],
      mergeKey: 'type',
    }),
  },
})
export interface FlowSchemaStatus extends Infer<typeof FlowSchemaStatus> {}

export const FlowSchemaCondition = schema('flowcontrol/v1.FlowSchemaCondition', {
  optional: {
    type: string(1, { goType: 'v1.FlowSchemaConditionType' }),
    status: oneOf(2, ConditionStatus),
    lastTransitionTime: time(3, { always: true }),
    reason: string(4),
    message: string(5),
  },
})
export interface FlowSchemaCondition extends Infer<typeof FlowSchemaCondition> {}
