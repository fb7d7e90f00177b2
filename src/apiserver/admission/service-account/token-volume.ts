import type { Container } from '../../../api/core/v1/container.js'
import type { PodSpec } from '../../../api/core/v1/pod/spec.js'
import type { Volume } from '../../../api/core/v1/volume.js'
import { generatedName } from '../../../api/metadata/generated-names.js'
import type { Random } from '../../../base/random.js'
import type { Draft } from '../../../schema/infer.js'

const mountPath = '/var/run/secrets/kubernetes.io/serviceaccount'
const namePrefix = 'kube-api-access-'

/** An hour, and a little more by which tokens can be told that were mounted here and not asked for. */
const expirationSeconds = 3607

/** Lets every container find the account's token, the cluster's certificate and its namespace, where nothing else is mounted. */
export function mountToken(spec: Draft<PodSpec>, random: Random): void {
  const present = spec.volumes?.find(({ name, projected }) => projected && name.startsWith(namePrefix))
  const name = present?.name ?? generatedName(namePrefix, random)
  const mounted = mountIn(spec.initContainers, name) + mountIn(spec.containers, name)
  if (!present && mounted > 0) spec.volumes = [...(spec.volumes ?? []), tokenVolume(name)]
}

/** How many of the containers got the mount. */
function mountIn(containers: Draft<Container>[] | undefined, name: string): number {
  let mounted = 0
  for (const container of containers ?? []) {
    const { volumeMounts = [] } = container
    if (volumeMounts.some((mount) => mount.mountPath === mountPath)) continue
    container.volumeMounts = [...volumeMounts, { name, readOnly: true, mountPath }]
    mounted++
  }
  return mounted
}

function tokenVolume(name: string): Draft<Volume> {
  return {
    name,
    projected: {
      sources: [
        { serviceAccountToken: { expirationSeconds, path: 'token' } },
        { configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
        {
          downwardAPI: {
            items: [{ path: 'namespace', fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' } }],
          },
        },
      ],
      defaultMode: 0o644,
    },
  }
}
