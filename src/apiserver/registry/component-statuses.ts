import { notFound } from '../../api/errors.js'
import type { KubeObject } from '../../api/kube-object.js'
import { canonical } from '../../schema/encode.js'
import { EncodedOnce, type ListAnswer, type ObjectAnswer } from '../answer.js'
import type { Handlers } from '../routing.js'
import type { VerbScope } from '../verbs/verb-scope.js'

/** A part of the control plane that can be asked how it is. */
export interface Component {
  readonly name: string
  /** What it answers when it is well. Throws otherwise. */
  readonly check: () => Promise<string>
}

/** How the parts of the control plane are, asked at the moment of the request. Nothing of it is stored. */
export function componentStatusHandlers(components: readonly Component[]): Handlers {
  return {
    async list(scope): Promise<ListAnswer> {
      const items = await Promise.all(components.map((component) => statusOf(scope, component)))
      const { representation, resource, store } = scope
      return { is: 'list', type: resource.type, items, revision: store.revision, representation }
    },
    async get(scope): Promise<ObjectAnswer> {
      const component = components.find(({ name }) => name === scope.name)
      if (!component) throw notFound({ group: '', resource: 'componentstatus' }, scope.name)
      const { representation, resource } = scope
      const object = await statusOf(scope, component)
      return { is: 'object', code: 200, type: resource.type, object, representation }
    },
  }
}

async function statusOf({ resource }: VerbScope, { name, check }: Component): Promise<EncodedOnce> {
  const condition = await check().then(
    (message) => ({ type: 'Healthy', status: 'True', message }),
    (error: unknown) => ({
      type: 'Healthy',
      status: 'False',
      message: error instanceof Error ? error.message : String(error),
    }),
  )
  const object = { kind: 'ComponentStatus', apiVersion: 'v1', metadata: { name }, conditions: [condition] }
  return new EncodedOnce(canonical(resource.type, object) as unknown as KubeObject)
}
