import type { MessageType, PartialMessage } from './message.js'

/** A remote procedure with one answer. */
export interface CallMethod<Request, Response> {
  readonly kind: 'call'
  readonly name: string
  readonly request: MessageType<Request>
  readonly response: MessageType<Response>
}

/** A remote procedure with any number of answers, one after the other. */
export interface StreamMethod<Request, Response> {
  readonly kind: 'stream'
  readonly name: string
  readonly request: MessageType<Request>
  readonly response: MessageType<Response>
}

export type CriMethod<Request, Response> = CallMethod<Request, Response> | StreamMethod<Request, Response>

export type AnyCriMethod = CriMethod<unknown, unknown>

export interface CriService<Methods> {
  /** As gRPC knows it. */
  readonly name: string
  readonly methods: Methods
}

export function call<Request, Response>(
  name: string,
  request: MessageType<Request>,
  response: MessageType<Response>,
): CallMethod<Request, Response> {
  return { kind: 'call', name, request, response }
}

export function stream<Request, Response>(
  name: string,
  request: MessageType<Request>,
  response: MessageType<Response>,
): StreamMethod<Request, Response> {
  return { kind: 'stream', name, request, response }
}

export function service<Methods>(name: string, methods: Methods): CriService<Methods> {
  return { name, methods }
}

export interface CallOptions {
  /** Gives up: the call rejects with the signal's reason, and the runtime is told. */
  readonly signal?: AbortSignal | undefined
  /** In milliseconds. Each method has a standard of its own; 0 is no limit. */
  readonly timeout?: number | undefined
}

/** A service as those see it who use it. */
export type ServiceClient<S> =
  S extends CriService<infer Methods>
    ? {
        readonly [K in keyof Methods]: Methods[K] extends CallMethod<infer Request, infer Response>
          ? (request: PartialMessage<Request>, options?: CallOptions) => Promise<Response>
          : Methods[K] extends StreamMethod<infer Request, infer Response>
            ? (request: PartialMessage<Request>, options?: CallOptions) => AsyncIterable<Response>
            : never
      }
    : never

/** What the one who answers knows of a call besides its request. */
export interface CallContext {
  /** Aborted when nobody waits for the answer any more. */
  readonly signal: AbortSignal
}

/** A service as the one who answers it. A procedure that is left out is answered with `Unimplemented`. */
export type ServiceImplementation<S> =
  S extends CriService<infer Methods>
    ? {
        readonly [K in keyof Methods]?: Methods[K] extends CallMethod<infer Request, infer Response>
          ? (request: Request, context: CallContext) => Promise<PartialMessage<Response>>
          : Methods[K] extends StreamMethod<infer Request, infer Response>
            ? (request: Request, context: CallContext) => AsyncIterable<PartialMessage<Response>>
            : never
      }
    : never
