import { Namespace } from '../../api/core/v1/namespace.js'
import { Pod } from '../../api/core/v1/pod.js'
import type { Change, SharedInformers } from '../../client/informers/informer.js'
import { defineController, workersFlag } from '../definition.js'
import { act } from './act.js'
import { decide } from './decide.js'
import { observe } from './observe.js'

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
      .watches(Namespace, newlyDeleted)
      .watches(Pod, lastPodDeleted)
      .workers(flags['concurrent-namespace-syncs'])
      .reconcile({ observe, decide, act }),
})

/** Other updates of a namespace that is being deleted are our own. */
function newlyDeleted({ type, object, old }: Change<Namespace>): readonly string[] {
  const { deletionTimestamp, name = '' } = object.metadata
  if (type === 'deleted' || deletionTimestamp === undefined) return []
  return old?.metadata.deletionTimestamp === undefined ? [name] : []
}

/** All other content waits for the pods, which are usually gone long before the requeue. */
function lastPodDeleted({ type, object }: Change<Pod>, informers: SharedInformers): readonly string[] {
  if (type !== 'deleted') return []
  const namespace = object.metadata.namespace!
  if (informers.of(Namespace).get(namespace)?.metadata.deletionTimestamp === undefined) return []
  for (const _ of informers.of(Pod).by('namespace', namespace)) return []
  return [namespace]
}
