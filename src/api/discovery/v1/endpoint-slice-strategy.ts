import { fieldPath } from '../../../schema/field-path.js'
import type { Draft } from '../../../schema/infer.js'
import { declareDefaults, declareTable } from '../../../schema/schema.js'
import { declareStrategy } from '../../../schema/strategy.js'
import { ipWarnings } from '../../../schema/values/addresses.js'
import { shortened } from '../../core/v1/endpoints/cells.js'
import { EndpointPort, EndpointSlice } from './endpoint-slice.js'
import { validateEndpointSlice, validateEndpointSliceUpdate } from './endpoint-slice-validation.js'

export const slicePortDefaults = declareDefaults<EndpointPort>(EndpointPort, (port) => {
  port.name ??= ''
  port.protocol ??= 'TCP'
})

const unset = '<unset>'

export const endpointSliceTable = declareTable<EndpointSlice>(EndpointSlice, {
  AddressType: ({ addressType }) => addressType,
  Ports: ({ ports }) => shortened((ports ?? []).map(({ port, name }) => `${port ?? name ?? '*'}`)) || unset,
  Endpoints: ({ endpoints }) => shortened((endpoints ?? []).flatMap(({ addresses }) => addresses)) || unset,
})

export const endpointSliceStrategy = declareStrategy<EndpointSlice>(EndpointSlice, {
  intent: ({ addressType, endpoints, ports, metadata }) => [addressType, endpoints, ports, metadata.labels],
  prepareCreate: dropTopology,
  prepareUpdate(draft, old) {
    if (JSON.stringify(draft.endpoints) !== JSON.stringify(old.endpoints)) dropTopology(draft)
  },
  validate: (slice) => validateEndpointSlice(slice),
  validateUpdate: validateEndpointSliceUpdate,
  warnings: sliceWarnings,
})

/** Removes topology keys that have fields of their own in this version. */
function dropTopology(draft: Draft<EndpointSlice>): void {
  if (!draft.endpoints?.some(({ deprecatedTopology }) => deprecatedTopology)) return
  draft.endpoints = draft.endpoints.map(({ deprecatedTopology: _, ...endpoint }) => endpoint)
}

/** Slices of this controller get no warnings, because they are canonical and numerous. */
const ownManager = 'endpointslice-controller.k8s.io'

function sliceWarnings({ addressType, endpoints, metadata }: EndpointSlice): readonly string[] {
  if (addressType === 'FQDN') return ['spec.addressType: FQDN endpoints are deprecated']
  if (metadata.labels?.['endpointslice.kubernetes.io/managed-by'] === ownManager) return []
  const path = fieldPath('endpoints')
  return (endpoints ?? []).flatMap(({ addresses }, i) =>
    (addresses ?? []).flatMap((address, j) => ipWarnings(path.index(i).child('addresses').index(j), address)),
  )
}
