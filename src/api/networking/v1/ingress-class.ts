import { ref, string } from '../../../schema/fields.js'
import type { Infer, Instance } from '../../../schema/infer.js'
import { ageColumn, column, kind, nameColumn, schema } from '../../../schema/schema.js'
import { objectMetadata } from '../../meta/v1/object-meta.js'

export const IngressClass = kind('networking/v1.IngressClass', {
  optional: {
    metadata: objectMetadata,
    spec: ref<IngressClassSpec>(2, 'networking/v1.IngressClassSpec', { always: true }),
  },
  resource: { plural: 'ingressclasses', columns: [nameColumn, column('Controller'), column('Parameters'), ageColumn] },
})
export interface IngressClass extends Instance<typeof IngressClass> {}

export const IngressClassSpec = schema('networking/v1.IngressClassSpec', {
  optional: {
    controller: string(1),
    parameters: ref<IngressClassParametersReference>(2, 'networking/v1.IngressClassParametersReference'),
  },
})
export interface IngressClassSpec extends Infer<typeof IngressClassSpec> {}

export const IngressClassParametersReference = schema('networking/v1.IngressClassParametersReference', {
  required: {
    kind: string(2),
    name: string(3),
  },
  optional: {
    apiGroup: string(1, { keepZero: true }),
    scope: string(4, { always: 'null' }),
    namespace: string(5, { keepZero: true }),
  },
})
export interface IngressClassParametersReference extends Infer<typeof IngressClassParametersReference> {}
