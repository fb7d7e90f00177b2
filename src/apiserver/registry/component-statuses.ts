import { notFound } from '../../api/errors.js'
import type { KubeObject } from '../../api/kube-object.js'
import { canonicalObject } from '../../schema/encode.js'
import { noLabels } from '../cache/stored-labels.js'
import type { VerbHandlers } from '../request/routing.js'
import { EncodedOnce, type ListResponse, type ObjectResponse } from '../response/response.js'
import { listOptions } from '../verbs/list-options.js'
import { selectObjects } from '../verbs/object-selection.js'
import type { VerbScope } from '../verbs/verb-scope.js'

export interface ComponentHealth {
  readonly isHealthy: boolean
  /** What the component says. */
  readonly message?: string
  /** Why the component could not be checked. */
  readonly error?: string
}

/** A part of the control plane whose health can be checked. */
export interface Component {
  readonly name: string
  /** Never rejects: a check that fails is an unhealthy component. */
  readonly check: () => Promise<ComponentHealth>
}

/** The health of the control plane's components, checked during the request. Nothing is stored, and nothing has labels. */
export function componentStatusHandlers(components: readonly Component[]): VerbHandlers {
  return {
    async list(scope): Promise<ListResponse> {
      const { matches } = selectObjects(scope, listOptions(scope.context.request.query))
      const all = await Promise.all(components.map((component) => statusOf(scope, component)))
      const items = all
        .filter((object) => matches({ object, labels: noLabels }))
        .map((object) => new EncodedOnce(object))
      const { representation, resource, store } = scope
      return { is: 'list', type: resource.type, items, revision: store.revision, representation }
    },
    async get(scope): Promise<ObjectResponse> {
      const component = components.find(({ name }) => name === scope.name)
      if (!component) throw notFound({ group: '', resource: 'componentstatus' }, scope.name)
      const { representation, resource } = scope
      const object = new EncodedOnce(await statusOf(scope, component))
      return { is: 'object', code: 200, type: resource.type, object, representation }
    },
  }
}

async function statusOf({ resource }: VerbScope, { name, check }: Component): Promise<KubeObject> {
  const { isHealthy, message = '', error = '' } = await check()
  const condition = {
    type: 'Healthy',
    status: isHealthy ? 'True' : 'False',
    ...(message !== '' && { message }),
    ...(error !== '' && { error }),
  }
  const object = { kind: 'ComponentStatus', apiVersion: 'v1', metadata: { name }, conditions: [condition] }
  return canonicalObject(resource.type, object) as KubeObject
}
