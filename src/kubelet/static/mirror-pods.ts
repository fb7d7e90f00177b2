import type { Node } from '../../api/core/v1/node.js'
import { mirrorKey } from '../../api/core/v1/pod/annotation-validation.js'
import { Pod } from '../../api/core/v1/pod.js'
import { hasReason } from '../../api/errors.js'
import type { Environment } from '../../base/environment.js'
import type { Client } from '../../client/client.js'
import type { Given, ResourceClient } from '../../client/resource-client.js'
import { hashAnnotation } from './manifest.js'
import type { MirrorPods } from './static-pods.js'

export interface MirrorPodsDependencies {
  readonly environment: Pick<Environment, 'log'>
  readonly client: Client
  /** The owner of mirror pods. Without a Node, none are created. */
  readonly node: () => Node | undefined
}

/** Returns whether the mirror belongs to this static pod, not to an earlier one of the same name. */
export function isMirrorOf(mirror: Pod, pod: Pod): boolean {
  const { name, namespace, annotations = {} } = mirror.metadata
  const isNamesake = name === pod.metadata.name && namespace === pod.metadata.namespace
  return isNamesake && annotations[mirrorKey] === hashOf(pod)
}

export function mirrorPods(dependencies: MirrorPodsDependencies): MirrorPods {
  return new ServerMirrors(dependencies)
}

class ServerMirrors implements MirrorPods {
  readonly #dependencies: MirrorPodsDependencies

  constructor(dependencies: MirrorPodsDependencies) {
    this.#dependencies = dependencies
  }

  async ensure(pod: Pod, mirror: Pod | undefined): Promise<void> {
    if (mirror && isMirrorOf(mirror, pod) && !mirror.metadata.deletionTimestamp) return
    if (mirror) await this.remove(mirror)
    const node = this.#dependencies.node()
    if (!node || node.metadata.deletionTimestamp) return
    await this.#create(pod, node)
  }

  /** Deletes without a grace period, because nothing runs for a mirror pod. */
  async remove({ metadata: { name = '', namespace = '', uid } }: Pod): Promise<void> {
    const preconditions = uid === undefined ? {} : { preconditions: { uid } }
    try {
      await this.#pods(namespace).delete(name, { gracePeriodSeconds: 0, ...preconditions })
    } catch (error) {
      // It is already gone, or another pod has its name.
      if (!hasReason(error, 'NotFound') && !hasReason(error, 'Conflict')) throw error
    }
  }

  async #create(pod: Pod, node: Node): Promise<void> {
    const { namespace = '', name = '' } = pod.metadata
    try {
      await this.#pods(namespace).create(mirrorOf(pod, node))
    } catch (error) {
      if (!hasReason(error, 'AlreadyExists')) throw error
      const found = await this.#pods(namespace).get(name)
      if (!isMirrorOf(found, pod)) throw error
    }
  }

  #pods(namespace: string): ResourceClient<Pod> {
    return this.#dependencies.client.resource(Pod).in(namespace)
  }
}

function mirrorOf(pod: Pod, { metadata: owner }: Node): Given<Pod> {
  const { name, namespace, labels, annotations } = pod.metadata
  return {
    metadata: {
      name: name!,
      namespace: namespace!,
      ...(labels && { labels }),
      annotations: { ...annotations, [mirrorKey]: hashOf(pod) },
      ownerReferences: [{ apiVersion: 'v1', kind: 'Node', name: owner.name!, uid: owner.uid!, controller: true }],
    },
    spec: pod.spec,
  }
}

function hashOf({ metadata: { annotations = {} } }: Pod): string {
  return annotations[hashAnnotation] ?? ''
}
