import type { MessageType, PartialMessage } from './message.js'

/** A gRPC method with one response. */
export interface CallMethod<Request, Response> {
  readonly kind: 'call'
  readonly name: string
  readonly request: MessageType<Request>
  readonly response: MessageType<Response>
}

/** A gRPC method with a stream of responses. */
export interface StreamMethod<Request, Response> {
  readonly kind: 'stream'
  readonly name: string
  readonly request: MessageType<Request>
  readonly response: MessageType<Response>
}

export type CriMethod<Request, Response> = CallMethod<Request, Response> | StreamMethod<Request, Response>

export type AnyCriMethod = CriMethod<unknown, unknown>

export interface CriService<Methods> {
  /** The name in gRPC. */
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
  /** Cancels the call: it rejects with the signal's reason, and the runtime's handler is aborted. */
  readonly signal?: AbortSignal | undefined
  /** In milliseconds; 0 means none. Each method has its own default. */
  readonly timeout?: number | undefined
}

/** A service as its callers see it. */
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

/** What a handler gets besides the request. */
export interface CallContext {
  /** Aborted when the caller cancels the call or goes away. */
  readonly signal: AbortSignal
}

/** A service as its implementer writes it. A missing method responds `Unimplemented`. */
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
