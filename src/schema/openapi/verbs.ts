import type { LinkedType } from '../model.js'
import type { MediaTypes } from './document-options.js'
import type { PublishedKind } from './extensions.js'
import type { OperationNames } from './names.js'
import {
  deleteCollectionParameters,
  deleteParameters,
  listParameters,
  type Parameter,
  patchParameters,
  pretty,
  writeParameters,
} from './parameters.js'
import { anyMediaType, type RouteOperation } from './route.js'

/** The subject of the operations at one path. */
export interface OperationSubject {
  readonly names: OperationNames
  /** The last part of operation names: `NamespacedPodStatus`. */
  readonly noun: string
  readonly about: PublishedKind
  readonly object: LinkedType
  /** The parameters of the path. */
  readonly parameters: readonly Parameter[]
  readonly media: MediaTypes
}

type OperationDetails = Pick<RouteOperation, 'method' | 'id' | 'action' | 'responses'> & Partial<RouteOperation>

function operation(subject: OperationSubject, { parameters = [], ...details }: OperationDetails): RouteOperation {
  return {
    tag: subject.names.tag,
    about: subject.about,
    parameters: [...subject.parameters, pretty, ...parameters],
    consumes: anyMediaType,
    produces: subject.media.objects,
    ...details,
  }
}

export function createOperation(subject: OperationSubject): RouteOperation {
  const { names, noun, object } = subject
  return operation(subject, {
    method: 'post',
    id: `create${names.infix}${noun}`,
    action: 'post',
    parameters: writeParameters,
    body: { type: object, required: true },
    responses: { 200: object, 201: object, 202: object },
  })
}

export function readOperation(subject: OperationSubject): RouteOperation {
  const { names, noun, object } = subject
  return operation(subject, {
    method: 'get',
    id: `read${names.infix}${noun}`,
    action: 'get',
    responses: { 200: object },
  })
}

export function replaceOperation(subject: OperationSubject): RouteOperation {
  const { names, noun, object } = subject
  return operation(subject, {
    method: 'put',
    id: `replace${names.infix}${noun}`,
    action: 'put',
    parameters: writeParameters,
    body: { type: object, required: true },
    responses: { 200: object, 201: object },
  })
}

export function patchOperation(subject: OperationSubject, document: LinkedType): RouteOperation {
  const { names, noun, object, media } = subject
  return operation(subject, {
    method: 'patch',
    id: `patch${names.infix}${noun}`,
    action: 'patch',
    parameters: patchParameters,
    body: { type: document, required: true },
    consumes: media.patches,
    responses: { 200: object, 201: object },
  })
}

export interface DeletionTypes {
  readonly options: LinkedType
  readonly response: LinkedType
}

export function deleteOperation(subject: OperationSubject, { options, response }: DeletionTypes): RouteOperation {
  const { names, noun } = subject
  return operation(subject, {
    method: 'delete',
    id: `delete${names.infix}${noun}`,
    action: 'delete',
    parameters: deleteParameters,
    body: { type: options, required: false },
    responses: { 200: response, 202: response },
  })
}

export function deleteCollectionOperation(
  subject: OperationSubject,
  { options, response }: DeletionTypes,
): RouteOperation {
  const { names, noun } = subject
  return operation(subject, {
    method: 'delete',
    id: `delete${names.infix}Collection${noun}`,
    action: 'deletecollection',
    parameters: deleteCollectionParameters,
    body: { type: options, required: false },
    responses: { 200: response },
  })
}

/** `response` is the type of the list; for a watch, that of one watch event. */
export function listOperation(subject: OperationSubject, response: LinkedType): RouteOperation {
  return listing(subject, { id: `list${subject.names.infix}${subject.noun}`, action: 'list', response })
}

export function watchOperation(subject: OperationSubject, response: LinkedType): RouteOperation {
  return listing(subject, { id: `watch${subject.names.infix}${subject.noun}`, action: 'watch', response })
}

export function watchListOperation(subject: OperationSubject, response: LinkedType): RouteOperation {
  return listing(subject, { id: `watch${subject.names.infix}${subject.noun}`, action: 'watchlist', response })
}

function listing(
  subject: OperationSubject,
  { id, action, response }: { id: string; action: string; response: LinkedType },
) {
  return operation(subject, {
    method: 'get',
    id,
    action,
    parameters: listParameters,
    produces: [...subject.media.objects, ...subject.media.streams],
    responses: { 200: response },
  })
}
