import { bool, list, ref, string } from '../../../schema/fields.js'
import type { Infer, Instance } from '../../../schema/infer.js'
import { kind, schema } from '../../../schema/schema.js'

export const APIResourceList = kind('meta/v1.APIResourceList', {
  required: {
    groupVersion: string(1),
    resources: list(2, ref<APIResource>('meta/v1.APIResource')),
  },
})
export interface APIResourceList extends Instance<typeof APIResourceList> {}

export const APIResource = schema('meta/v1.APIResource', {
  required: {
    name: string(1),
    namespaced: bool(2),
    kind: string(3),
    verbs: list(4, string, { goType: 'v1.Verbs' }),
    singularName: string(6),
  },
  optional: {
    shortNames: list(5, string),
    categories: list(7, string),
    group: string(8),
    version: string(9),
    storageVersionHash: string(10),
  },
})
export interface APIResource extends Infer<typeof APIResource> {}
