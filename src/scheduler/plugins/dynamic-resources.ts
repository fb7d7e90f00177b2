import type { Plugin } from '../framework/plugin.js'
import type { Refusal } from '../framework/rejection.js'

const name = 'DynamicResources'

const refusal: Refusal = {
  plugin: name,
  reasons: ['claims of devices cannot be allocated by this scheduler'],
  isResolvable: false,
}

/**
 * Devices that pods claim. Nobody allocates them here, so that a pod with claims would wait for ever on whatever node it were placed: it is
 * placed nowhere, and told so. As there are no claims, none can be taken back when a pod fits nowhere.
 */
export function dynamicResources(): Plugin {
  return {
    name,
    filterFor: ({ pod }) => (pod.spec.resourceClaims?.length ? refusal : undefined),
    // Upstream's plugin knows nothing of a pod that was refused before its own turn had come, and says so in these words.
    rescue: ({ decision }) => ({
      message: decision.diagnosis.everywhere ? 'not found' : 'no new claims to deallocate',
    }),
    interests: [],
  }
}
