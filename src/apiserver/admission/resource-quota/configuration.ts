import type { ScopedResourceSelectorRequirement } from '../../../api/core/v1/resource-quota.js'
import * as field from '../../../schema/field-errors.js'
import { fieldPath } from '../../../schema/field-path.js'
import { list, ref, string } from '../../../schema/fields.js'
import type { Infer, Instance } from '../../../schema/infer.js'
import { kind, schema } from '../../../schema/schema.js'
import type { PluginConfigurationKind } from '../definition.js'

const group = 'apiserver.config.k8s.io/v1'

const ResourceQuotaConfiguration = kind(`${group}.ResourceQuotaConfiguration`, {
  optional: { limitedResources: list(1, ref<LimitedResource>(`${group}.LimitedResource`)) },
})
export interface ResourceQuotaConfiguration extends Instance<typeof ResourceQuotaConfiguration> {}

/** A resource that may be used only if a quota covers it. */
const LimitedResource = schema(`${group}.LimitedResource`, {
  required: { resource: string(2) },
  optional: {
    apiGroup: string(1),
    /** Substrings of the names of used resources: `.storageclass.storage.k8s.io/requests.storage`. */
    matchContains: list(3, string),
    matchScopes: list(4, ref<ScopedResourceSelectorRequirement>('core/v1.ScopedResourceSelectorRequirement')),
  },
})
export interface LimitedResource extends Infer<typeof LimitedResource> {}

function* validate({ limitedResources = [] }: ResourceQuotaConfiguration): Iterable<field.FieldError> {
  for (const [index, { resource }] of limitedResources.entries())
    if (!resource) yield field.required(fieldPath('limitedResources').index(index).child('resource'))
}

export const resourceQuotaConfiguration: PluginConfigurationKind<ResourceQuotaConfiguration> = {
  kindNames: [
    `${group}/ResourceQuotaConfiguration`,
    'resourcequota.admission.k8s.io/v1beta1/Configuration',
    'resourcequota.admission.k8s.io/v1alpha1/Configuration',
  ],
  declarations: [ResourceQuotaConfiguration, LimitedResource],
  validate,
}
