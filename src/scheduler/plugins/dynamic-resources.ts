import type { SchedulerPlugin } from '../framework/plugin.js'
import type { PluginRejection } from '../framework/rejection.js'

const name = 'DynamicResources'

const rejection: PluginRejection = {
  plugin: name,
  reasons: ['claims of devices cannot be allocated by this scheduler'],
  isResolvable: false,
}

/**
 * Devices that pods claim. Nobody allocates them here, so that a pod with claims would wait for ever on whatever node it were placed: it is
 * placed nowhere, and told so. As there are no claims, none can be taken back when a pod fits nowhere.
 */
export function dynamicResources(): SchedulerPlugin {
  return {
    name,
    preFilter: ({ pod }) => (pod.spec.resourceClaims?.length ? rejection : undefined),
    // Upstream's plugin knows nothing of a pod that was refused before its own turn had come, and says so in these words.
    postFilter: ({ decision }) => ({
      message: decision.diagnosis.preFilterRejection ? 'not found' : 'no new claims to deallocate',
    }),
    queueingHints: [],
  }
}
