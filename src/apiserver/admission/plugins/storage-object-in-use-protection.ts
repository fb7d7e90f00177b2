import { defineAdmissionPlugin } from '../definition.js'
import { isFor } from '../request.js'

const finalizers: Readonly<Record<string, string>> = {
  persistentvolumeclaims: 'kubernetes.io/pvc-protection',
  persistentvolumes: 'kubernetes.io/pv-protection',
  volumeattributesclasses: 'kubernetes.io/vac-protection',
}

/** Adds a finalizer to volumes and claims, so that they stay until a controller has seen that no pod uses them. */
export const storageObjectInUseProtection = defineAdmissionPlugin({
  name: 'StorageObjectInUseProtection',
  position: 210,
  isDefault: true,
  create: () => ({
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
  }),
})
