import type { TokenRequest } from '../../../api/authentication/v1/token-request.js'
import type { PersistentVolume } from '../../../api/core/v1/persistent-volume.js'
import type { PersistentVolumeClaim } from '../../../api/core/v1/persistent-volume-claim.js'
import type { Pod } from '../../../api/core/v1/pod.js'
import type { Volume } from '../../../api/core/v1/volume.js'
import { notFound } from '../../../api/errors.js'
import type { CSIDriver } from '../../../api/storage/v1/csi-driver.js'
import { quote } from '../../../schema/quote.js'
import type { IsAllowed } from '../../authorization/authorizer.js'
import type { AdmissionRequest } from '../admission.js'
import type { ObjectLookup, ObjectLookups } from '../lookup.js'
import { rejection } from '../rejection.js'

/** A node may request tokens bound to its own pods only, and only for audiences that these pods name. */
export class TokenChecks {
  readonly #pods: ObjectLookup<Pod>
  readonly #claims: ObjectLookup<PersistentVolumeClaim>
  readonly #volumes: ObjectLookup<PersistentVolume>
  readonly #drivers: ObjectLookup<CSIDriver>
  readonly #isAllowed: IsAllowed

  constructor(lookups: ObjectLookups, isAllowed: IsAllowed) {
    this.#pods = lookups.of('', 'v1', 'pods')
    this.#claims = lookups.of('', 'v1', 'persistentvolumeclaims')
    this.#volumes = lookups.of('', 'v1', 'persistentvolumes')
    this.#drivers = lookups.of('storage.k8s.io', 'v1', 'csidrivers')
    this.#isAllowed = isAllowed
  }

  async check(request: AdmissionRequest, node: string): Promise<void> {
    if (request.operation !== 'CREATE' || request.subresource !== 'token') return
    const { spec } = request.object as TokenRequest
    const pod = await this.#boundPod(request, spec.boundObjectRef)
    if (pod.spec.nodeName !== node)
      throw rejection(request, 'node requested token bound to a pod scheduled on a different node')
    await this.#checkAudience(request, pod, spec.audiences ?? [])
  }

  async #boundPod(request: AdmissionRequest, bound: TokenRequest['spec']['boundObjectRef']): Promise<Pod> {
    if (bound?.apiVersion !== 'v1' || bound.kind !== 'Pod' || !bound.name)
      throw rejection(request, 'node requested token not bound to a pod')
    if (!bound.uid) throw rejection(request, 'node requested token with a pod binding without a uid')
    const pod = await this.#pods.find(bound.name, request.namespace)
    if (!pod) throw notFound({ group: '', resource: 'pods' }, bound.name)
    if (pod.metadata.uid !== bound.uid)
      throw rejection(
        request,
        `the UID in the bound object reference (${bound.uid}) does not match the UID in record. The object might have been deleted and then recreated`,
      )
    return pod
  }

  async #checkAudience(request: AdmissionRequest, pod: Pod, audiences: readonly string[]): Promise<void> {
    if (audiences.length > 1) throw rejection(request, 'node may only request 0 or 1 audiences')
    const [audience = ''] = audiences
    if ((pod.spec.volumes ?? []).some((volume) => this.#needsAudience(pod, volume, audience))) return
    if (await this.#isAllowed(audienceAttributes(request, audience))) return
    throw rejection(
      request,
      `audience ${quote(audience)} not found in pod spec volume, ${request.user.name} is not authorized to request tokens for this audience`,
    )
  }

  /** Whether a volume needs tokens for an audience: directly, or because its CSI driver does. */
  #needsAudience(pod: Pod, volume: Volume, audience: string): boolean {
    const { projected, csi } = volume
    for (const { serviceAccountToken } of projected?.sources ?? [])
      if (serviceAccountToken && (serviceAccountToken.audience ?? '') === audience) return true
    const driver = csi?.driver ?? this.#driverOfClaim(pod, volume)
    const requested = driver === undefined ? [] : (this.#drivers.get(driver)?.spec.tokenRequests ?? [])
    return requested.some((one) => one.audience === audience)
  }

  #driverOfClaim({ metadata }: Pod, { name, persistentVolumeClaim, ephemeral }: Volume): string | undefined {
    const claimName = ephemeral ? `${metadata.name}-${name}` : persistentVolumeClaim?.claimName
    if (!claimName) return undefined
    const { volumeName } = this.#claims.get(claimName, metadata.namespace)?.spec ?? {}
    return volumeName ? this.#volumes.get(volumeName)?.spec.csi?.driver : undefined
  }
}

function audienceAttributes({ user, namespace, name }: AdmissionRequest, audience: string) {
  return {
    user,
    verb: 'request-serviceaccounts-token-audience',
    isResource: true,
    path: '',
    group: '',
    version: 'v1',
    resource: audience,
    subresource: '',
    namespace,
    name,
  }
}
