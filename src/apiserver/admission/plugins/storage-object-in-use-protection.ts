import type { AdmissionPlugin } from '../admission.js'
import { isFor } from '../requests.js'

const finalizers: Readonly<Record<string, string>> = {
  persistentvolumeclaims: 'kubernetes.io/pvc-protection',
  persistentvolumes: 'kubernetes.io/pv-protection',
  volumeattributesclasses: 'kubernetes.io/vac-protection',
}

/** What holds data is not gone before somebody has seen that nobody uses it. */
export const storageObjectInUseProtection: AdmissionPlugin = {
  name: 'StorageObjectInUseProtection',
  handles: (request) =>
    request.operation === 'CREATE' &&
    (isFor(request, '', 'persistentvolumeclaims') ||
      isFor(request, '', 'persistentvolumes') ||
      isFor(request, 'storage.k8s.io', 'volumeattributesclasses')),
  mutate({ resource, object }) {
    const { metadata } = object!
    const finalizer = finalizers[resource.groupResource.resource]!
    const present = metadata.finalizers ?? []
    if (!present.includes(finalizer)) metadata.finalizers = [...present, finalizer]
  },
}
