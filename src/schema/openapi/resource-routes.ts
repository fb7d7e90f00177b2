import type { Subresource, Verb } from '../declaration.js'
import type { LinkedType } from '../model.js'
import type { Scheme, ServedKind } from '../scheme.js'
import { connectionRoutes } from './connection-routes.js'
import { builtinMedia, type DocumentOptions } from './document-options.js'
import { groupVersionKind } from './extensions.js'
import { capitalized, operationNames, versionPath } from './names.js'
import { nameParameter, namespaceParameter, queryParameters } from './parameters.js'
import { plainText, type Route, type RouteOperation } from './route.js'
import * as verbs from './verbs.js'

export interface RouteContext {
  readonly scheme: Scheme
  readonly publication: DocumentOptions
  readonly kind: ServedKind
}

/** The routes of a kind and its subresources. */
export function resourceRoutes(served: RouteContext): Route[] {
  const routes = [collectionRoute(served), ...allNamespacesRoutes(served), objectRoute(served)]
  const { subresources } = served.kind.kind.resource
  for (const [name, subresource] of Object.entries(subresources)) {
    routes.push(...subresourceRoutes(served, name, subresource))
  }
  return [...routes, ...watchRoutes(served)].filter(({ operations }) => operations.length > 0)
}

function collectionRoute(served: RouteContext): Route {
  const subject = subjectOf(served)
  return {
    path: collectionPath(served),
    operations: operationsFor(served.kind.kind.resource.verbs, {
      create: () => verbs.createOperation(subject),
      list: () => verbs.listOperation(subject, listOf(served)),
      deletecollection: () =>
        verbs.deleteCollectionOperation(subject, {
          options: deleteOptions(served),
          response: typeNamed(served, 'meta/v1.Status'),
        }),
    }),
  }
}

function objectRoute(served: RouteContext): Route {
  const subject = namedSubjectOf(served)
  return {
    path: `${collectionPath(served)}/{name}`,
    operations: operationsFor(served.kind.kind.resource.verbs, {
      ...objectVerbs(served, subject),
      delete: () =>
        verbs.deleteOperation(subject, { options: deleteOptions(served), response: deletionResponse(served) }),
    }),
  }
}

function objectVerbs(served: RouteContext, subject: verbs.OperationSubject): Verbs {
  return {
    get: () => verbs.readOperation(subject),
    update: () => verbs.replaceOperation(subject),
    patch: () => verbs.patchOperation(subject, typeNamed(served, 'meta/v1.Patch')),
  }
}

function allNamespacesRoutes(served: RouteContext): Route[] {
  const { namespaced, plural, verbs: allowed } = served.kind.kind.resource
  if (!namespaced || !allowed.includes('list')) return []
  const subject = { ...subjectOf(served), noun: `${served.kind.kind.kind}ForAllNamespaces`, parameters: [] }
  return [{ path: `${basePath(served)}/${plural}`, operations: [verbs.listOperation(subject, listOf(served))] }]
}

/** The deprecated watch paths, which are still served beside `?watch=true`. */
function watchRoutes(served: RouteContext): Route[] {
  const { namespaced, plural, verbs: allowed } = served.kind.kind.resource
  if (!allowed.includes('watch')) return []
  const event = typeNamed(served, 'meta/v1.WatchEvent')
  const base = `${basePath(served)}/watch`
  const collection = collectionPath(served, base)
  const subject = subjectOf(served)
  const everywhere = { ...subject, noun: `${served.kind.kind.kind}ListForAllNamespaces`, parameters: [] }
  return [
    ...(namespaced ? [{ path: `${base}/${plural}`, operations: [verbs.watchListOperation(everywhere, event)] }] : []),
    { path: collection, operations: [verbs.watchListOperation({ ...subject, noun: `${subject.noun}List` }, event)] },
    { path: `${collection}/{name}`, operations: [verbs.watchOperation(namedSubjectOf(served), event)] },
  ]
}

function subresourceRoutes(served: RouteContext, name: string, subresource: Subresource): Route[] {
  const path = `${collectionPath(served)}/{name}/${name}`
  const parent = namedSubjectOf(served)
  const noun = parent.noun + capitalized(name)
  if (subresource.undeclaredKind !== undefined) {
    const about = { ...parent.about, kind: subresource.undeclaredKind }
    return connectionRoutes({ path, subject: { ...parent, noun, about }, subresource })
  }
  const subject = { ...parent, noun, ...(subresource.kind && aboutKind(served, subresource.kind)) }
  const operations = operationsFor(subresource.verbs, {
    ...objectVerbs(served, subject),
    create: () => verbs.createOperation(subject),
  })
  return [{ path, operations: operations.map((operation) => withOptions(operation, subresource)) }]
}

function withOptions(operation: RouteOperation, subresource: Subresource): RouteOperation {
  return {
    ...operation,
    parameters: [...operation.parameters, ...queryParameters(subresource)],
    ...(subresource.text && { responses: { 200: plainText }, produces: ['text/plain', ...operation.produces] }),
  }
}

function aboutKind(served: RouteContext, name: string): Pick<verbs.OperationSubject, 'about' | 'object'> {
  const object = served.scheme.type(name)
  if (!object.kind) throw new Error(`${name} serves as a subresource but is no kind`)
  return { about: groupVersionKind(object.kind), object: { is: 'object', object } }
}

/** The operation of each possible verb at a path; the resource may not allow all of them. */
type Verbs = Partial<Record<Verb, () => RouteOperation>>

function operationsFor(allowed: readonly Verb[], possible: Verbs): RouteOperation[] {
  return allowed.flatMap((verb) => possible[verb]?.() ?? [])
}

function subjectOf({ kind: object, publication }: RouteContext): verbs.OperationSubject {
  const { group, version, kind, resource } = object.kind
  return {
    names: operationNames(group, version),
    noun: resource.namespaced ? `Namespaced${kind}` : kind,
    about: groupVersionKind(object.kind),
    object: { is: 'object', object },
    parameters: resource.namespaced ? [namespaceParameter] : [],
    media: publication.media ?? builtinMedia,
  }
}

function namedSubjectOf(served: RouteContext): verbs.OperationSubject {
  const subject = subjectOf(served)
  return { ...subject, parameters: [nameParameter, ...subject.parameters] }
}

function basePath({ kind }: RouteContext): string {
  return versionPath(kind.kind.group, kind.kind.version)
}

function collectionPath(served: RouteContext, base = basePath(served)): string {
  const { namespaced, plural } = served.kind.kind.resource
  return `${base}/${namespaced ? 'namespaces/{namespace}/' : ''}${plural}`
}

function typeNamed({ scheme }: RouteContext, name: string): LinkedType {
  return { is: 'object', object: scheme.type(name) }
}

function listOf(served: RouteContext): LinkedType {
  return typeNamed(served, `${served.kind.name}List`)
}

function deleteOptions(served: RouteContext): LinkedType {
  return typeNamed(served, 'meta/v1.DeleteOptions')
}

function deletionResponse(served: RouteContext): LinkedType {
  const { kind } = served
  return kind.kind.resource.returnsDeleted ? { is: 'object', object: kind } : typeNamed(served, 'meta/v1.Status')
}
