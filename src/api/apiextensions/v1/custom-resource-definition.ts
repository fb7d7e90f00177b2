import {
  bool,
  bytes,
  int32,
  int64,
  list,
  oneOf,
  openEnumeration,
  ref,
  string,
  time,
  type Values,
} from '../../../schema/fields.js'
import type { Infer, Instance } from '../../../schema/infer.js'
import { column, kind, nameColumn, objectSubresource, schema } from '../../../schema/schema.js'
import { objectMetadata } from '../../meta/v1/object-meta.js'
import type { JSONSchemaProps } from './json-schema.js'

export const ConversionStrategyType = openEnumeration('apiextensions/v1.ConversionStrategyType', ['None', 'Webhook'])
export type ConversionStrategyType = Values<typeof ConversionStrategyType>

export const CustomResourceDefinitionConditionType = openEnumeration(
  'apiextensions/v1.CustomResourceDefinitionConditionType',
  [
    'Established',
    'NamesAccepted',
    'NonStructuralSchema',
    'Terminating',
    'KubernetesAPIApprovalPolicyConformant',
    'StorageMigrating',
  ],
)
export type CustomResourceDefinitionConditionType = Values<typeof CustomResourceDefinitionConditionType>

export const ConditionStatus = openEnumeration('apiextensions/v1.ConditionStatus', ['True', 'False', 'Unknown'])
export type ConditionStatus = Values<typeof ConditionStatus>

export const ResourceScope = openEnumeration('apiextensions/v1.ResourceScope', ['Cluster', 'Namespaced'])
export type ResourceScope = Values<typeof ResourceScope>

export const CustomResourceDefinition = kind('apiextensions/v1.CustomResourceDefinition', {
  required: {
    spec: ref<CustomResourceDefinitionSpec>(0, 'apiextensions/v1.CustomResourceDefinitionSpec'),
  },
  optional: {
    metadata: objectMetadata,
    status: ref<CustomResourceDefinitionStatus>(0, 'apiextensions/v1.CustomResourceDefinitionStatus', { always: true }),
  },
  resource: {
    plural: 'customresourcedefinitions',
    shortNames: ['crd', 'crds'],
    categories: ['api-extensions'],
    subresources: { status: objectSubresource },
    columns: [nameColumn, column('Created At', { type: 'date' })],
  },
})
export interface CustomResourceDefinition extends Instance<typeof CustomResourceDefinition> {}

export const CustomResourceDefinitionSpec = schema('apiextensions/v1.CustomResourceDefinitionSpec', {
  required: {
    group: string(0),
    names: ref<CustomResourceDefinitionNames>(0, 'apiextensions/v1.CustomResourceDefinitionNames'),
    scope: oneOf(0, ResourceScope),
    versions: list(0, ref<CustomResourceDefinitionVersion>('apiextensions/v1.CustomResourceDefinitionVersion')),
  },
  optional: {
    conversion: ref<CustomResourceConversion>(0, 'apiextensions/v1.CustomResourceConversion'),
    preserveUnknownFields: bool(0),
  },
})
export interface CustomResourceDefinitionSpec extends Infer<typeof CustomResourceDefinitionSpec> {}

export const CustomResourceConversion = schema('apiextensions/v1.CustomResourceConversion', {
  required: {
    strategy: oneOf(0, ConversionStrategyType),
  },
  optional: {
    webhook: ref<WebhookConversion>(0, 'apiextensions/v1.WebhookConversion'),
  },
})
export interface CustomResourceConversion extends Infer<typeof CustomResourceConversion> {}

export const WebhookConversion = schema('apiextensions/v1.WebhookConversion', {
  required: {
    conversionReviewVersions: list(0, string),
  },
  optional: {
    clientConfig: ref<WebhookClientConfig>(0, 'apiextensions/v1.WebhookClientConfig'),
  },
})
export interface WebhookConversion extends Infer<typeof WebhookConversion> {}

export const WebhookClientConfig = schema('apiextensions/v1.WebhookClientConfig', {
  optional: {
    url: string(0, { keepZero: true }),
    service: ref<ServiceReference>(0, 'apiextensions/v1.ServiceReference'),
    caBundle: bytes(0),
  },
})
export interface WebhookClientConfig extends Infer<typeof WebhookClientConfig> {}

export const ServiceReference = schema('apiextensions/v1.ServiceReference', {
  required: {
    namespace: string(0),
    name: string(0),
  },
  optional: {
    path: string(0, { keepZero: true }),
    port: int32(0, { default: 443, keepZero: true }),
  },
})
export interface ServiceReference extends Infer<typeof ServiceReference> {}

export const CustomResourceDefinitionNames = schema('apiextensions/v1.CustomResourceDefinitionNames', {
  required: {
    plural: string(0),
    kind: string(0),
  },
  optional: {
    singular: string(0),
    shortNames: list(0, string),
    listKind: string(0),
    categories: list(0, string),
  },
})
export interface CustomResourceDefinitionNames extends Infer<typeof CustomResourceDefinitionNames> {}

export const CustomResourceDefinitionVersion = schema('apiextensions/v1.CustomResourceDefinitionVersion', {
  required: {
    name: string(0),
    served: bool(0),
    storage: bool(0),
  },
  optional: {
    deprecated: bool(0),
    deprecationWarning: string(0, { keepZero: true }),
    schema: ref<CustomResourceValidation>(0, 'apiextensions/v1.CustomResourceValidation'),
    subresources: ref<CustomResourceSubresources>(0, 'apiextensions/v1.CustomResourceSubresources'),
    additionalPrinterColumns: list(
      0,
      ref<CustomResourceColumnDefinition>('apiextensions/v1.CustomResourceColumnDefinition'),
    ),
    selectableFields: list(0, ref<SelectableField>('apiextensions/v1.SelectableField')),
  },
})
export interface CustomResourceDefinitionVersion extends Infer<typeof CustomResourceDefinitionVersion> {}

export const CustomResourceColumnDefinition = schema('apiextensions/v1.CustomResourceColumnDefinition', {
  required: {
    name: string(0),
    type: string(0),
    jsonPath: string(0),
  },
  optional: {
    format: string(0),
    description: string(0),
    priority: int32(0),
  },
})
export interface CustomResourceColumnDefinition extends Infer<typeof CustomResourceColumnDefinition> {}

export const CustomResourceValidation = schema('apiextensions/v1.CustomResourceValidation', {
  optional: {
    openAPIV3Schema: ref<JSONSchemaProps>(0, 'apiextensions/v1.JSONSchemaProps'),
  },
})
export interface CustomResourceValidation extends Infer<typeof CustomResourceValidation> {}

export const SelectableField = schema('apiextensions/v1.SelectableField', {
  required: {
    jsonPath: string(0),
  },
})
export interface SelectableField extends Infer<typeof SelectableField> {}

export const CustomResourceSubresources = schema('apiextensions/v1.CustomResourceSubresources', {
  optional: {
    status: ref<CustomResourceSubresourceStatus>(0, 'apiextensions/v1.CustomResourceSubresourceStatus'),
    scale: ref<CustomResourceSubresourceScale>(0, 'apiextensions/v1.CustomResourceSubresourceScale'),
  },
})
export interface CustomResourceSubresources extends Infer<typeof CustomResourceSubresources> {}

export const CustomResourceSubresourceScale = schema('apiextensions/v1.CustomResourceSubresourceScale', {
  required: {
    specReplicasPath: string(0),
    statusReplicasPath: string(0),
  },
  optional: {
    labelSelectorPath: string(0, { keepZero: true }),
  },
})
export interface CustomResourceSubresourceScale extends Infer<typeof CustomResourceSubresourceScale> {}

export const CustomResourceSubresourceStatus = schema('apiextensions/v1.CustomResourceSubresourceStatus')
export interface CustomResourceSubresourceStatus extends Infer<typeof CustomResourceSubresourceStatus> {}

export const CustomResourceDefinitionStatus = schema('apiextensions/v1.CustomResourceDefinitionStatus', {
  optional: {
    conditions: list(0, ref<CustomResourceDefinitionCondition>('apiextensions/v1.CustomResourceDefinitionCondition'), {
      always: true,
      keys: ['type'],
    }),
    acceptedNames: ref<CustomResourceDefinitionNames>(0, 'apiextensions/v1.CustomResourceDefinitionNames', {
      always: true,
    }),
    storedVersions: list(0, string, { always: true }),
    observedGeneration: int64(0),
  },
})
export interface CustomResourceDefinitionStatus extends Infer<typeof CustomResourceDefinitionStatus> {}

export const CustomResourceDefinitionCondition = schema('apiextensions/v1.CustomResourceDefinitionCondition', {
  required: {
    type: oneOf(0, CustomResourceDefinitionConditionType),
    status: oneOf(0, ConditionStatus),
  },
  optional: {
    lastTransitionTime: time(0, { always: true }),
    reason: string(0),
    message: string(0),
    observedGeneration: int64(0),
  },
})
export interface CustomResourceDefinitionCondition extends Infer<typeof CustomResourceDefinitionCondition> {}
