import type { Draft, MessageType } from './message.js'

/** A remote procedure with one answer. */
export interface Call<Request, Response> {
  readonly kind: 'call'
  readonly name: string
  readonly request: MessageType<Request>
  readonly response: MessageType<Response>
}

/** A remote procedure with any number of answers, one after the other. */
export interface Stream<Request, Response> {
  readonly kind: 'stream'
  readonly name: string
  readonly request: MessageType<Request>
  readonly response: MessageType<Response>
}

export type Method<Request, Response> = Call<Request, Response> | Stream<Request, Response>

export type AnyMethod = Method<unknown, unknown>

export interface Service<Methods> {
  /** As gRPC knows it. */
  readonly name: string
  readonly methods: Methods
}

export function call<Request, Response>(
  name: string,
  request: MessageType<Request>,
  response: MessageType<Response>,
): Call<Request, Response> {
  return { kind: 'call', name, request, response }
}

export function stream<Request, Response>(
  name: string,
  request: MessageType<Request>,
  response: MessageType<Response>,
): Stream<Request, Response> {
  return { kind: 'stream', name, request, response }
}

export function service<Methods>(name: string, methods: Methods): Service<Methods> {
  return { name, methods }
}

export interface CallOptions {
  /** Gives up: the call rejects with the signal's reason, and the runtime is told. */
  readonly signal?: AbortSignal | undefined
  /** In milliseconds. Each method has a standard of its own; 0 is no limit. */
  readonly timeout?: number | undefined
}

/** A service as those see it who use it. */
export type Caller<S> =
  S extends Service<infer Methods>
    ? {
        readonly [K in keyof Methods]: Methods[K] extends Call<infer Request, infer Response>
          ? (request: Draft<Request>, options?: CallOptions) => Promise<Response>
          : Methods[K] extends Stream<infer Request, infer Response>
            ? (request: Draft<Request>, options?: CallOptions) => AsyncIterable<Response>
            : never
      }
    : never

/** What the one who answers knows of a call besides its request. */
export interface CallContext {
  /** Aborted when nobody waits for the answer any more. */
  readonly signal: AbortSignal
}

/** A service as the one who answers it. A procedure that is left out is answered with `Unimplemented`. */
export type Implementation<S> =
  S extends Service<infer Methods>
    ? {
        readonly [K in keyof Methods]?: Methods[K] extends Call<infer Request, infer Response>
          ? (request: Request, context: CallContext) => Promise<Draft<Response>>
          : Methods[K] extends Stream<infer Request, infer Response>
            ? (request: Request, context: CallContext) => AsyncIterable<Draft<Response>>
            : never
      }
    : never
