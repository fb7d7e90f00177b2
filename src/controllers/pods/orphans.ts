import type { Pod } from '../../api/core/v1/pod.js'
import type { LabelSelector } from '../../api/selectors/label-selector.js'
import { keyOf } from '../../client/informers/informer.js'
import type { AnyObject } from '../../client/resource-client.js'
import type { Schema } from '../../schema/declaration.js'
import type { Instance } from '../../schema/infer.js'
import { sameJson } from '../../schema/json-value.js'
import { controllerOf } from '../runtime/owners.js'
import type { KeyMapper } from '../runtime/reconcile.js'

/** An object without a controller concerns everybody whose selector chooses it, when it appears, is let go or gets other labels. */
export function concernsAdopters<S extends Schema, T extends AnyObject = Pod>(
  kind: S,
  selectorOf: (owner: Instance<S> & AnyObject) => LabelSelector,
): KeyMapper<T> {
  return function* ({ type, object, old }, informers) {
    if (type === 'deleted' || controllerOf(object)) return
    if (old && !controllerOf(old) && sameJson(object.metadata.labels, old.metadata.labels)) return
    const labels = object.metadata.labels ?? {}
    for (const owner of informers.of(kind).by('namespace', object.metadata.namespace!))
      if (selectorOf(owner).matches(labels)) yield keyOf(owner)
  }
}
