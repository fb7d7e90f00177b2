import type { Event } from '../api/core/v1/event.js'
import { escapeValue } from '../api/selectors/field-selector.js'
import { boolean, csvList, signedInteger, text } from '../base/flags/flag-types.js'
import { type DiscoveredResource, groupVersion } from '../client/discovery/discovered.js'
import { NoMatchError } from '../client/discovery/resource-mapper.js'
import type { JsonObject } from '../schema/declaration.js'
import { objectIn, stringIn } from '../schema/json-value.js'
import { compareText } from '../schema/text-order.js'
import { type CommandContext, command } from './command.js'
import { PlainMessageError } from './command-errors.js'
import { ageOf } from './describe/events.js'
import type { Factory } from './factory/factory.js'
import type { Query } from './factory/request.js'
import { ageText } from './printers/age.js'
import { printTypedJson } from './printers/json.js'
import { objectPrinter, outputFlags, type PrintObject } from './printers/output.js'
import { TabWriter } from './printers/tab-writer.js'
import { defaultChunkSize } from './resources/fetch.js'
import { itemsOf, resourcePath, withMetadata } from './resources/resource-object.js'

const flags = {
  ...outputFlags,
  'all-namespaces': boolean('Select objects in all namespaces', { short: 'A' }),
  'chunk-size': signedInteger('How many events to request at once; 0 for all', { initial: defaultChunkSize }),
  for: text('Show only events of this object: pod/web'),
  'no-headers': boolean('Omit the header'),
  types: csvList('Show only events of these types: Normal, Warning'),
  watch: boolean('Watch for new events', { short: 'w' }),
} as const

type EventsContext = CommandContext<typeof flags>

export const events = command({
  usage: '[(-o|--output=)json|yaml|…] [--for TYPE/NAME] [--watch] [--types=Normal,Warning] [options]',
  about: 'List events, the latest last.',
  examples: ['kubectl events', 'kubectl events --for pod/web --watch', 'kubectl events --types=Warning -A'],
  flags,
  run: runEvents,
})

async function runEvents(call: EventsContext): Promise<void> {
  const { flags: given, factory, err } = call
  const { name: home } = await factory.namespace()
  const query = given.for === '' ? {} : { fieldSelector: await aboutSelector(call) }
  const print = given.output === 'json' ? printTypedJson : await objectPrinter(factory, given)
  if (given.types.some((type) => !/^(normal|warning)$/i.test(type)))
    throw new Error('valid --types are Normal or Warning')
  const namespace = given['all-namespaces'] ? '' : home
  const path = resourcePath({ root: '/api/v1', plural: 'events', namespaced: true }, namespace)
  if (given.watch) return watch(call, { path, query }, print)
  const found = (await all(call, path, query)).filter((event) => isWanted(call, event))
  if (found.length === 0)
    return err(given['all-namespaces'] ? 'No events found.\n' : `No events found in ${home} namespace.\n`)
  const sorted = found.sort((left, right) => compareText(lastTime(left), lastTime(right)))
  await call.out(print ? print(eventList(call, sorted)) : tableOf(call, sorted))
}

/** Selects events by kind, version and name of the object. */
async function aboutSelector({ flags: given, factory }: EventsContext): Promise<string> {
  const [type = '', name, ...others] = given.for.split('/')
  if (name === undefined) throw new Error('--for must be in resource/name form')
  if (others.length > 0) throw new Error('arguments in resource/name form may not have more than one slash')
  const { kind, group, version } = await typeOf(factory, type)
  const wanted = { kind, apiVersion: groupVersion(group, version), name }
  const terms = Object.entries(wanted).filter(([, value]) => value !== '')
  return terms.map(([field, value]) => `involvedObject.${field}=${escapeValue(value)}`).join(',')
}

async function typeOf(factory: Factory, type: string): Promise<DiscoveredResource> {
  try {
    return await (await factory.mapper()).resource(type)
  } catch (error) {
    throw error instanceof NoMatchError ? new PlainMessageError(error.message, { cause: error }) : error
  }
}

async function all({ flags: given, factory }: EventsContext, path: string, query: Query): Promise<Event[]> {
  const rest = await factory.rest()
  const found: JsonObject[] = []
  let token = ''
  do {
    const limit = given['chunk-size'] || undefined
    const page = await rest.json<JsonObject>({ path, query: { ...query, limit, continue: token || undefined } })
    found.push(...itemsOf(page))
    token = stringIn(objectIn(page, 'metadata'), 'continue')
  } while (token !== '')
  return found as unknown as Event[]
}

function isWanted({ flags: { types } }: EventsContext, { type = '' }: Event): boolean {
  return types.length === 0 || types.some((wanted) => wanted.toLowerCase() === type.toLowerCase())
}

function lastTime({ series, lastTimestamp, eventTime }: Event): string {
  return (series ? series.lastObservedTime : (lastTimestamp ?? eventTime)) ?? ''
}

function eventList(call: EventsContext, items: readonly Event[]): JsonObject {
  return { kind: 'EventList', apiVersion: 'v1', metadata: {}, items: items.map((item) => typed(call, item)) }
}

/** Adds kind and version, and omits the managed fields. */
function typed({ flags: given }: EventsContext, event: Event): JsonObject {
  const { kind = 'Event', apiVersion = 'v1', ...rest } = event as unknown as JsonObject
  const whole = { kind, apiVersion, ...rest }
  return given['show-managed-fields'] ? whole : withMetadata(whole, { managedFields: undefined })
}

function tableOf(call: EventsContext, found: readonly Event[]): string {
  const writer = new TabWriter()
  if (!call.flags['no-headers']) writer.line(headerOf(call))
  for (const event of found) writer.text(cellsOf(call, event).join('\t'))
  return writer.flush()
}

function headerOf({ flags: given }: EventsContext): readonly string[] {
  return [...(given['all-namespaces'] ? ['NAMESPACE'] : []), 'LAST SEEN', 'TYPE', 'REASON', 'OBJECT', 'MESSAGE']
}

function cellsOf({ flags: given, factory }: EventsContext, event: Event): readonly string[] {
  const now = factory.environment.clock.now()
  const since = (time: string | undefined | null) => (time ? ageText(now - Date.parse(time)) : '<unknown>')
  const { metadata, type = '', reason = '', involvedObject, message = '' } = event
  const { kind = '', name = '' } = involvedObject
  return [
    ...(given['all-namespaces'] ? [metadata.namespace ?? ''] : []),
    ...[ageOf(event, { since }), type, reason, `${kind}/${name}`, message.trim()],
  ]
}

/** Prints existing events, then new ones. Deletions of events are ignored. */
async function watch(
  call: EventsContext,
  { path, query }: { readonly path: string; readonly query: Query },
  print: PrintObject | undefined,
): Promise<void> {
  const { flags: given, factory, out } = call
  const rest = await factory.rest()
  const writer = new TabWriter()
  let isFirst = true
  for await (const { type, object } of rest.watch({ path, query: { ...query, watch: true } })) {
    const event = object as unknown as Event
    if (type === 'DELETED' || type === 'BOOKMARK' || !isWanted(call, event)) continue
    if (print) {
      await out(print(typed(call, event)))
      continue
    }
    if (isFirst && !given['no-headers']) writer.line(headerOf(call))
    isFirst = false
    writer.text(cellsOf(call, event).join('\t'))
    await out(writer.flush())
  }
}
