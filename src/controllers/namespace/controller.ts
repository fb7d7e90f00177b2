import { Namespace } from '../../api/core/v1/namespace.js'
import { Pod } from '../../api/core/v1/pod.js'
import type { Change, SharedInformers } from '../../client/informers/informer.js'
import { controller } from '../runtime/builder.js'
import type { Controller } from '../runtime/controller.js'
import { reconcileNamespace } from './reconcile.js'

export interface NamespaceOptions {
  /** How many namespaces are emptied at once. */
  readonly workers?: number | undefined
}

/** Ends namespaces that were deleted. */
export function namespaceController({ workers = 10 }: NamespaceOptions = {}): Controller {
  return controller('namespace-controller')
    .watches(Namespace, begunToEnd)
    .watches(Pod, lastPodGone)
    .workers(workers)
    .reconcile(reconcileNamespace)
}

/** What it says of itself while it ends is no news. */
function begunToEnd({ type, object, old }: Change<Namespace>): readonly string[] {
  const { deletionTimestamp, name = '' } = object.metadata
  if (type === 'deleted' || deletionTimestamp === undefined) return []
  return old?.metadata.deletionTimestamp === undefined ? [name] : []
}

/** Everything else waits for the pods, which may take half a minute, and usually do not. */
function lastPodGone({ type, object }: Change<Pod>, informers: SharedInformers): readonly string[] {
  if (type !== 'deleted') return []
  const namespace = object.metadata.namespace!
  if (informers.of(Namespace).get(namespace)?.metadata.deletionTimestamp === undefined) return []
  for (const _ of informers.of(Pod).by('namespace', namespace)) return []
  return [namespace]
}
