import type { Pod } from '../../api/core/v1/pod.js'
import { RuntimeClass } from '../../api/node/v1/runtime-class.js'
import type { Informers } from '../../client/informers/informers.js'
import { quote } from '../../schema/quote.js'

/** What the runtime calls the way in which a pod's runtime class wants it run. Classes are only looked at once a pod names one. */
export function runtimeHandlers(informers: Informers): (pod: Pod) => Promise<string> {
  return async ({ spec }) => {
    const name = spec.runtimeClassName
    if (!name) return ''
    const classes = informers.of(RuntimeClass)
    await classes.synced
    const found = classes.get(name)
    if (!found) throw new Error(`failed to get sandbox runtime: runtimeclass.node.k8s.io ${quote(name)} not found`)
    return found.handler
  }
}
