import type { PersistentVolumeClaim } from '../../../api/core/v1/persistent-volume-claim.js'
import type { ObjectMeta } from '../../../api/meta/v1/object-meta.js'
import type { Ingress } from '../../../api/networking/v1/ingress.js'
import type { IngressClass } from '../../../api/networking/v1/ingress-class.js'
import type { StorageClass } from '../../../api/storage/v1/storage-class.js'
import { defineAdmissionPlugin } from '../definition.js'
import { isFor } from '../request.js'

/** Sets the default storage class of claims without a class; the newest, if there are several. */
export const defaultStorageClass = defineAdmissionPlugin<PersistentVolumeClaim>({
  name: 'DefaultStorageClass',
  position: 200,
  isDefault: true,
  create({ lookups }) {
    const classes = lookups.of<StorageClass>('storage.k8s.io', 'v1', 'storageclasses')
    return {
      handles: (request) => request.operation === 'CREATE' && isFor(request, '', 'persistentvolumeclaims'),
      mutate({ object }) {
        const { metadata, spec } = object!
        if (spec.storageClassName !== undefined || metadata.annotations?.['volume.beta.kubernetes.io/storage-class'])
          return
        const chosen = newestMarked(
          classes.list(),
          'storageclass.kubernetes.io/is-default-class',
          'storageclass.beta.kubernetes.io/is-default-class',
        )
        if (chosen) spec.storageClassName = chosen.metadata.name!
      },
    }
  },
})

/** Sets the default ingress class of ingresses without a class; the newest, if there are several. */
export const defaultIngressClass = defineAdmissionPlugin<Ingress>({
  name: 'DefaultIngressClass',
  position: 300,
  isDefault: true,
  create({ lookups }) {
    const classes = lookups.of<IngressClass>('networking.k8s.io', 'v1', 'ingressclasses')
    return {
      handles: (request) => request.operation === 'CREATE' && isFor(request, 'networking.k8s.io', 'ingresses'),
      mutate({ object }) {
        const { metadata, spec } = object!
        if (spec.ingressClassName !== undefined || metadata.annotations?.['kubernetes.io/ingress.class'] !== undefined)
          return
        const chosen = newestMarked(classes.list(), 'ingressclass.kubernetes.io/is-default-class')
        if (chosen) spec.ingressClassName = chosen.metadata.name!
      },
    }
  },
})

interface ObjectClass {
  readonly metadata: ObjectMeta
}

/** Returns the newest class with one of the annotations set to `true`. */
function newestMarked<T extends ObjectClass>(classes: readonly T[], ...annotations: readonly string[]): T | undefined {
  const isMarked = ({ metadata }: T) => annotations.some((key) => metadata.annotations?.[key] === 'true')
  return classes.filter(isMarked).sort(newestFirst)[0]
}

function newestFirst(left: ObjectClass, right: ObjectClass): number {
  const [leftTime = '', rightTime = ''] = [left.metadata.creationTimestamp, right.metadata.creationTimestamp]
  if (leftTime !== rightTime) return leftTime < rightTime ? 1 : -1
  return left.metadata.name! < right.metadata.name! ? -1 : 1
}
