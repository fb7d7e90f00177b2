import { forbidden } from '../../api/errors.js'
import type { Handlers } from '../routing.js'
import { deleteNamed } from '../verbs/delete.js'

const systemClasses: ReadonlySet<string> = new Set(['system-node-critical', 'system-cluster-critical'])

/** The classes of the system stay: pods without which nothing works are in them. */
export const priorityClassHandlers: Handlers = {
  delete(scope) {
    if (systemClasses.has(scope.name))
      throw forbidden(scope.resource.groupResource, scope.name, 'this is a system priority class and cannot be deleted')
    return deleteNamed(scope)
  },
}
