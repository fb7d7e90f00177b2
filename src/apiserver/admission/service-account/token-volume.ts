import type { Container } from '../../../api/core/v1/container.js'
import type { PodSpec } from '../../../api/core/v1/pod/spec.js'
import type { Volume } from '../../../api/core/v1/volume.js'
import { generatedName } from '../../../api/metadata/generated-names.js'
import type { Random } from '../../../base/random.js'
import type { Draft } from '../../../schema/infer.js'

const mountPath = '/var/run/secrets/kubernetes.io/serviceaccount'
const namePrefix = 'kube-api-access-'

/** One hour. The extra seconds distinguish tokens that are mounted by default from requested ones. */
const expirationSeconds = 3607

/** Mounts the account's token, the cluster's certificate and the namespace into every container that mounts nothing else there. */
export function mountToken(spec: Draft<PodSpec>, random: Random): void {
  const present = spec.volumes?.find(({ name, projected }) => projected && name.startsWith(namePrefix))
  const name = present?.name ?? generatedName(namePrefix, random)
  const mounted = mountIn(spec.initContainers, name) + mountIn(spec.containers, name)
  if (!present && mounted > 0) spec.volumes = [...(spec.volumes ?? []), tokenVolume(name)]
}

/** Returns how many containers got the mount. */
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
