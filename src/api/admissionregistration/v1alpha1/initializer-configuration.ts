import { list, ref, string } from '../../../schema/fields.js'
import type { Infer, Instance } from '../../../schema/infer.js'
import { kind, schema } from '../../../schema/schema.js'
import { objectMetadata } from '../../meta/v1/object-meta.js'

export const InitializerConfiguration = kind('admissionregistration/v1alpha1.InitializerConfiguration', {
  gate: 'Initializers',
  optional: {
    metadata: objectMetadata,
    initializers: list(2, ref<Initializer>('admissionregistration/v1alpha1.Initializer'), { mergeKey: 'name' }),
  },
  resource: { plural: 'initializerconfigurations' },
})
export interface InitializerConfiguration extends Instance<typeof InitializerConfiguration> {}

export const Initializer = schema('admissionregistration/v1alpha1.Initializer', {
  gate: 'Initializers',
  required: {
    name: string(1),
  },
  optional: {
    rules: list(2, ref<Rule>('admissionregistration/v1alpha1.Rule')),
  },
})
export interface Initializer extends Infer<typeof Initializer> {}

export const Rule = schema('admissionregistration/v1alpha1.Rule', {
  gate: 'Initializers',
  optional: {
    apiGroups: list(1, string),
    apiVersions: list(2, string),
    resources: list(3, string),
  },
})
export interface Rule extends Infer<typeof Rule> {}
