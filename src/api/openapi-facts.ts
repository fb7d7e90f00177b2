import { inPath, query } from '../schema/openapi/parameters.js'
import type { ServingFacts } from '../schema/openapi/publication.js'

const container = query('container')
const proxy = { parameters: [query('path')], path: inPath('path') }
const streams = [
  container,
  query('stderr', 'boolean'),
  query('stdin', 'boolean'),
  query('stdout', 'boolean'),
  query('tty', 'boolean'),
]

/** How the declared kinds are served, where that shows in OpenAPI documents and not in the declarations. */
export const servingFacts: ServingFacts = {
  returnedWhenDeleted: new Set([
    'core/v1.PersistentVolume',
    'core/v1.PersistentVolumeClaim',
    'core/v1.Pod',
    'core/v1.PodTemplate',
    'core/v1.ResourceQuota',
    'core/v1.Service',
    'core/v1.ServiceAccount',
    'resource/v1.DeviceClass',
    'resource/v1.ResourceClaim',
    'resource/v1.ResourceClaimTemplate',
    'resource/v1.ResourceSlice',
    'storage/v1.CSIDriver',
    'storage/v1.CSINode',
    'storage/v1.StorageClass',
    'storage/v1.VolumeAttachment',
    'storage/v1.VolumeAttributesClass',
  ]),
  untyped: new Set(['meta/v1.WatchEvent']),
  subresources: {
    'core/v1.Node/proxy': proxy,
    'core/v1.Pod/attach': { parameters: streams },
    'core/v1.Pod/exec': { parameters: [query('command'), ...streams] },
    'core/v1.Pod/log': {
      text: true,
      parameters: [
        container,
        query('follow', 'boolean'),
        query('insecureSkipTLSVerifyBackend', 'boolean'),
        query('limitBytes', 'integer'),
        query('previous', 'boolean'),
        query('sinceSeconds', 'integer'),
        query('stream'),
        query('tailLines', 'integer'),
        query('timestamps', 'boolean'),
      ],
    },
    'core/v1.Pod/portforward': { parameters: [query('ports', 'integer')] },
    'core/v1.Pod/proxy': proxy,
    'core/v1.Service/proxy': proxy,
  },
}
