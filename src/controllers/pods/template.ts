import type { Pod } from '../../api/core/v1/pod.js'
import type { PodTemplateSpec } from '../../api/core/v1/pod-template.js'
import type { ObjectMeta } from '../../api/meta/v1/object-meta.js'
import type { Given } from '../../client/resource-client.js'
import type { TypeMeta } from '../../schema/infer.js'
import { controllerReference } from '../runtime/owners.js'

/** An object that makes others. */
export interface Owner extends TypeMeta {
  readonly metadata: ObjectMeta
}

/** A pod as the template describes it, to be made in the namespace of its owner. Nothing of the template is copied: it is never changed. */
export function podFromTemplate(template: PodTemplateSpec, owner: Owner): Given<Pod> {
  const { labels, annotations, finalizers } = template.metadata ?? {}
  const metadata = {
    generateName: podNamePrefix(owner.metadata.name!),
    namespace: owner.metadata.namespace!,
    ...(labels && { labels }),
    ...(annotations && { annotations }),
    ...(finalizers && { finalizers }),
    ownerReferences: [controllerReference(owner)],
  }
  return { metadata, ...(template.spec && { spec: template.spec }) }
}

/** The longest name that a pod may have. */
const longestName = 253

/** A dash sets the random part apart, where there is room for one. */
export function podNamePrefix(ownerName: string): string {
  return ownerName.length < longestName ? `${ownerName}-` : ownerName
}
