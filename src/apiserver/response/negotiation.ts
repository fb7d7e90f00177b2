import { badRequest, noAcceptedMediaType } from '../../api/errors.js'
import { serverResponse } from '../../api/server-response.js'
import { quote } from '../../schema/quote.js'
import { type MediaType, parseAccept } from '../../wire/media-type.js'
import { protobufType } from '../../wire/protobuf.js'
import type { ApiRequest } from '../request/request-context.js'
import type { Representation } from './response.js'

/** The media types that an error 406 lists. */
const available = ['application/json', 'application/yaml', protobufType]

const medias: ReadonlyMap<string, Representation['media']> = new Map([
  ['application/json', 'json'],
  ['application/yaml', 'yaml'],
  [protobufType, 'protobuf'],
  ['*/*', 'json'],
])

const transformations: ReadonlySet<string> = new Set(['Table', 'PartialObjectMetadata', 'PartialObjectMetadataList'])

export const jsonRepresentation: Representation = {
  media: 'json',
  pretty: false,
  as: 'object',
  version: 'v1',
  includeObject: 'Metadata',
}

/** Representations by `Accept` header. A pure function of the header, so all servers of a process share it; bounded by `maxKnownHeaders`. */
const known = new Map<string, Representation | undefined>([
  ['', jsonRepresentation],
  ['*/*', jsonRepresentation],
  ['application/json', jsonRepresentation],
])
const maxKnownHeaders = 1000

/** Returns the representation that the client accepts. Throws 406 if it accepts none that the server has. */
export function representationFor({ headers, query }: ApiRequest): Representation {
  const { accept = '' } = headers
  const wanted = fromAccept(accept)
  if (!wanted) throw noneAccepted(accept)
  if (query.size === 0) return wanted
  return withQuery(wanted, query)
}

/** Returns the representation of an error, which is sent whatever the client accepts. */
export function representationForError({ headers, query }: ApiRequest): Representation {
  const media = fromAccept(headers.accept ?? '')?.media ?? 'json'
  return { ...jsonRepresentation, media, pretty: isPretty(query) }
}

function withQuery(wanted: Representation, query: URLSearchParams): Representation {
  const pretty = isPretty(query)
  if (wanted.as !== 'Table') return pretty ? { ...wanted, pretty } : wanted
  return { ...wanted, pretty, includeObject: includeObject(query.get('includeObject') ?? '') }
}

function isPretty(query: URLSearchParams): boolean {
  const value = query.get('pretty')
  return value === 'true' || value === '1'
}

function includeObject(text: string): Representation['includeObject'] {
  if (text === '') return 'Metadata'
  if (text === 'None' || text === 'Metadata' || text === 'Object') return text
  throw badRequest(
    `Unable to convert to Table as requested: includeObject: Invalid value: ${quote(text)}: must be 'Metadata', 'Object', 'None', or empty`,
  )
}

function fromAccept(accept: string): Representation | undefined {
  if (known.has(accept)) return known.get(accept)
  const possible = parseAccept(accept)
    .map(representationOf)
    .filter((found) => found !== undefined)
  const otherwise = possible.find(({ media }) => media !== 'protobuf')
  const [best] = possible
  const representation = best?.media === 'protobuf' && otherwise ? { ...best, otherwise } : best
  if (known.size < maxKnownHeaders) known.set(accept, representation)
  return representation
}

function representationOf({ type, parameters }: MediaType): Representation | undefined {
  const media = medias.get(type)
  if (!media) return undefined
  const { as, g, v } = parameters
  if (as === undefined) return media === 'json' ? jsonRepresentation : { ...jsonRepresentation, media }
  if (media === 'protobuf' && as === 'Table') return undefined // cells have no types that protobuf could name
  if (!transformations.has(as) || g !== 'meta.k8s.io' || (v !== 'v1' && v !== 'v1beta1')) return undefined
  return { ...jsonRepresentation, media, as: as as Representation['as'], version: v }
}

/** Who asks for a known type in an unknown form is told so in other words than who asks for an unknown type. */
function noneAccepted(accept: string): Error {
  if (parseAccept(accept).some(({ type }) => medias.has(type))) return noAcceptedMediaType(available)
  return serverResponse({
    code: 406,
    method: 'GET',
    serverMessage: `406: Not Acceptable\n\nAvailable representations: ${available.join(', ')}`,
  })
}
