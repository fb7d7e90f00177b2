import { Namespace } from '../../api/core/v1/namespace.js'
import { Pod } from '../../api/core/v1/pod.js'
import type { Change, SharedInformers } from '../../client/informers/informer.js'
import { defineController, workersFlag } from '../definition.js'
import { reconcileNamespace } from './reconcile.js'

/** Deletes the contents of namespaces that are being deleted. */
export const definition = defineController({
  name: 'namespace-controller',
  alias: 'namespace',
  serviceAccount: 'namespace-controller',
  rules: [
    'delete get list watch on namespaces of core',
    'update on namespaces/finalize namespaces/status of core',
    'delete deletecollection get list watch on * of *',
  ],
  flags: { 'concurrent-namespace-syncs': workersFlag('namespaces', 10) },
  create: (controller, { flags }) =>
    controller
      .watches(Namespace, begunToEnd)
      .watches(Pod, lastPodGone)
      .workers(flags['concurrent-namespace-syncs'])
      .reconcile(reconcileNamespace),
})

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
