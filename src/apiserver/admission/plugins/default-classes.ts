import type { PersistentVolumeClaim } from '../../../api/core/v1/persistent-volume-claim.js'
import type { ObjectMeta } from '../../../api/meta/v1/object-meta.js'
import type { Ingress } from '../../../api/networking/v1/ingress.js'
import type { IngressClass } from '../../../api/networking/v1/ingress-class.js'
import type { StorageClass } from '../../../api/storage/v1/storage-class.js'
import type { Draft } from '../../../schema/infer.js'
import type { AdmissionPlugin } from '../admission.js'
import type { ObjectLookups } from '../lookup.js'
import { isFor } from '../requests.js'

interface Classy {
  readonly metadata: ObjectMeta
}

function newestFirst(left: Classy, right: Classy): number {
  const [leftTime = '', rightTime = ''] = [left.metadata.creationTimestamp, right.metadata.creationTimestamp]
  if (leftTime !== rightTime) return leftTime < rightTime ? 1 : -1
  return left.metadata.name! < right.metadata.name! ? -1 : 1
}

function isMarked({ metadata: { annotations = {} } }: Classy, ...keys: readonly string[]): boolean {
  return keys.some((key) => annotations[key] === 'true')
}

/** A claim that names no class gets the default one; of several the newest. */
export function defaultStorageClass(lookups: ObjectLookups): AdmissionPlugin {
  const classes = lookups.of<StorageClass>('storage.k8s.io', 'v1', 'storageclasses')
  return {
    name: 'DefaultStorageClass',
    handles: (request) => request.operation === 'CREATE' && isFor(request, '', 'persistentvolumeclaims'),
    mutate({ object }) {
      const { metadata, spec } = object as Draft<PersistentVolumeClaim>
      if (spec.storageClassName !== undefined || metadata.annotations?.['volume.beta.kubernetes.io/storage-class'])
        return
      const [chosen] = classes
        .list()
        .filter((one) =>
          isMarked(
            one,
            'storageclass.kubernetes.io/is-default-class',
            'storageclass.beta.kubernetes.io/is-default-class',
          ),
        )
        .sort(newestFirst)
      if (chosen) spec.storageClassName = chosen.metadata.name!
    },
  }
}

/** The same for ingresses. */
export function defaultIngressClass(lookups: ObjectLookups): AdmissionPlugin {
  const classes = lookups.of<IngressClass>('networking.k8s.io', 'v1', 'ingressclasses')
  return {
    name: 'DefaultIngressClass',
    handles: (request) => request.operation === 'CREATE' && isFor(request, 'networking.k8s.io', 'ingresses'),
    mutate(request) {
      const { metadata, spec } = request.object as Draft<Ingress>
      if (spec.ingressClassName !== undefined || metadata.annotations?.['kubernetes.io/ingress.class'] !== undefined)
        return
      const [chosen] = classes
        .list()
        .filter((one) => isMarked(one, 'ingressclass.kubernetes.io/is-default-class'))
        .sort(newestFirst)
      if (chosen) spec.ingressClassName = chosen.metadata.name!
    },
  }
}
