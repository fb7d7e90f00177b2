import { ConfigMap } from '../../api/core/v1/config-map.js'
import { bootstrapTokens, isBootstrapToken } from '../../api/core/v1/secret/bootstrap-token.js'
import { Secret } from '../../api/core/v1/secret.js'
import { keyOf } from '../../client/informers/informer.js'
import { defineController, recordEvents } from '../definition.js'
import { decide } from './decide.js'

const clusterInfo = 'kube-public/cluster-info'

/** Signs the public ConfigMap `cluster-info` with each bootstrap token, so that a node that knows a token can trust it. */
export const definition = defineController({
  name: 'bootstrap-signer-controller',
  alias: 'bootstrapsigner',
  isOffByDefault: true,
  serviceAccount: 'bootstrap-signer',
  namespacedRules: {
    'kube-public': [
      'get list watch on configmaps of core',
      'update on configmaps of core named cluster-info',
      recordEvents,
    ],
    'kube-system': ['get list watch on secrets of core'],
  },
  create: (controller) =>
    controller
      .watches(ConfigMap, ({ object }) => (keyOf(object) === clusterInfo ? [clusterInfo] : []))
      .watches(Secret, ({ object }) => (isBootstrapToken(object) ? [clusterInfo] : []))
      .workers(1)
      .reconcile({
        async observe(key, { informers, environment }) {
          const info = informers.of(ConfigMap).get(key)
          const secrets = [...informers.of(Secret).by('namespace', bootstrapTokens.namespace)]
          return info && { info, data: info.data ?? {}, secrets, now: environment.clock.now() }
        },
        decide,
        async act({ data, requeueAfter }, { info }, { client }) {
          if (data) await client.resource(ConfigMap).update({ ...info, data })
          return requeueAfter === undefined ? undefined : { requeueAfter }
        },
      }),
})
