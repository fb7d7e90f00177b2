import { podSecretNames } from '../../../api/core/v1/pod/references.js'
import type { Pod } from '../../../api/core/v1/pod.js'
import type { AdmissionRequest } from '../admission.js'
import { rejection } from '../rejection.js'

/** A mirror pod only shows what runs anyway: it must not look as if it were entitled to anything. */
export function checkMirrorPod(request: AdmissionRequest, pod: Pod): void {
  const { serviceAccountName = '', volumes = [] } = pod.spec
  if (serviceAccountName !== '') throw rejection(request, 'a mirror pod may not reference service accounts')
  if (podSecretNames(pod).size > 0) throw rejection(request, 'a mirror pod may not reference secrets')
  for (const { projected } of volumes)
    if (projected?.sources?.some(({ serviceAccountToken }) => serviceAccountToken))
      throw rejection(request, 'a mirror pod may not use ServiceAccountToken volume projections')
}
