import { setTimeout as delay } from 'node:timers/promises'
import { type AnyObject, ApiError, type Client, type Given, hasReason, type ResourceClient } from 'proa/client'

/** Completes new objects of one kind before anybody sees them. */
export interface Initializer<T extends AnyObject> {
  /** As it stands in the configuration: a domain of three parts. */
  readonly name: string
  readonly objects: (client: Client) => ResourceClient<T>
  /** The object as it is to be, or the same one if nothing is missing. Throws `Refusal` if there shall be no such object. */
  readonly complete: (object: T) => T
}

/** Why an object shall not come into being: its creator is told. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
}

export interface RunOptions {
  /** Ends the initializer. */
  readonly signal: AbortSignal
  /** Told what went wrong before it is tried again. */
  readonly warn?: (error: unknown) => void
}

const pause = 1000

/**
 * Looks at all objects that wait, and at those that come, until the signal says stop. Nothing is remembered: what was not answered
 * when this one died, or when the server did, still waits for whoever begins anew. Each time it connects with a new client.
 */
export async function runInitializer<T extends AnyObject>(
  connect: () => Promise<Client>,
  initializer: Initializer<T>,
  { signal, warn = () => {} }: RunOptions,
): Promise<void> {
  while (!signal.aborted) {
    const client = await connect()
    try {
      await answerAll(client, initializer, signal)
    } catch (error) {
      if (signal.aborted) return
      warn(error)
      await delay(pause, undefined, { signal }).catch(() => undefined) // stopped while it paused
    } finally {
      client.close()
    }
  }
}

async function answerAll<T extends AnyObject>(
  client: Client,
  initializer: Initializer<T>,
  signal: AbortSignal,
): Promise<void> {
  const objects = initializer.objects(client)
  for await (const { type, object } of objects.watch({ includeUninitialized: true, signal }))
    if (type === 'ADDED' || type === 'MODIFIED') await answer(objects, initializer, object)
}

/** Whose turn it is stands first. Everybody else leaves the object alone. */
async function answer<T extends AnyObject>(
  objects: ResourceClient<T>,
  { name, complete }: Initializer<T>,
  object: T,
): Promise<void> {
  const { pending = [], result } = object.metadata.initializers ?? {}
  if (pending[0]?.name !== name || result) return
  try {
    await objects.update(withInitializers(complete(object), { pending: pending.slice(1) }))
  } catch (error) {
    if (hasReason(error, 'Conflict') || hasReason(error, 'NotFound')) return // somebody was faster; the watch tells
    if (!(error instanceof Refusal) && !hasReason(error, 'Invalid')) throw error
    await objects.update(withInitializers(object, { pending, result: failure(error) }))
  }
}

/** With the version that was looked at: an answer to something else is no answer. */
function withInitializers<T extends AnyObject>(object: T, initializers: object): Given<T> {
  return { ...object, metadata: { ...object.metadata, initializers } }
}

/** What the creator is told; a completion that the server did not take is told as it said it. */
function failure(error: Error): object {
  if (error instanceof ApiError) return error.status()
  return { status: 'Failure', reason: 'Forbidden', code: 403, message: error.message }
}
