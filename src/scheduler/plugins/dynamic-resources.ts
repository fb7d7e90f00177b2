import { declarePlugin } from '../framework/declaration.js'
import type { PluginRejection } from '../framework/rejection.js'

const name = 'DynamicResources'

const rejection: PluginRejection = {
  plugin: name,
  reasons: ['claims of devices cannot be allocated by this scheduler'],
  isResolvable: false,
}

/**
 * Rejects pods with resource claims: this scheduler does not allocate devices, so such a pod would wait for ever on any node. As there are
 * no claims, PostFilter has none to deallocate.
 */
export const dynamicResources = declarePlugin({
  name,
  extensionPoints: ['filter', 'postFilter'],
  defaultProfile: { position: 110 },
  create: () => ({
    preFilter: ({ pod }) => (pod.spec.resourceClaims?.length ? rejection : undefined),
    // Upstream's plugin has no state of a pod that another plugin rejected in PreFilter, and reports that in these words.
    postFilter: ({ decision }) => ({
      message: decision.diagnosis.preFilterRejection ? 'not found' : 'no new claims to deallocate',
    }),
    queueingHints: [],
  }),
})
