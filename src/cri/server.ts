import { chmodSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import {
  type handleServerStreamingCall,
  type handleUnaryCall,
  Server,
  ServerCredentials,
  type ServiceDefinition,
  status,
  type UntypedServiceImplementation,
} from '@grpc/grpc-js'
import { CriError } from './cri-error.js'
import type { AnyCriMethod, CriService } from './interface/service.js'
import { imageService, type RuntimeImplementation, runtimeService } from './interface/services.js'
import { type CallHandler, methodHandler, type StreamHandler } from './method-handlers.js'

export interface CriServer extends AsyncDisposable {
  /** The address for clients. */
  readonly endpoint: string
  /** Aborts active calls, as the death of a runtime does. */
  close(): Promise<void>
}

/** Serves a runtime of this process on a Unix socket. */
export async function serveCri(implementation: RuntimeImplementation, socket: string): Promise<CriServer> {
  if (await isServed(socket)) throw new Error(`another process already listens on ${socket}`)
  rmSync(socket, { force: true })
  const server = new Server({ 'grpc.max_receive_message_length': -1 })
  for (const service of [runtimeService, imageService])
    server.addService(...grpcService(implementation, service as unknown as CriService<Record<string, AnyCriMethod>>))
  await new Promise<void>((resolve, reject) =>
    server.bindAsync(`unix:${socket}`, ServerCredentials.createInsecure(), (error) =>
      error ? reject(error) : resolve(),
    ),
  )
  chmodSync(socket, 0o600)
  const close = async () => {
    server.forceShutdown()
    rmSync(socket, { force: true })
  }
  return { endpoint: `unix://${socket}`, close, [Symbol.asyncDispose]: close }
}

function grpcService(
  implementation: RuntimeImplementation,
  { name, methods }: CriService<Record<string, AnyCriMethod>>,
): [ServiceDefinition, UntypedServiceImplementation] {
  const definition: Record<string, ServiceDefinition[string]> = {}
  const handlers: UntypedServiceImplementation = {}
  for (const [key, method] of Object.entries(methods)) {
    definition[key] = {
      path: `/${name}/${method.name}`,
      requestStream: false,
      responseStream: method.kind === 'stream',
      requestSerialize: method.request.encode.bind(method.request),
      requestDeserialize: method.request.decode.bind(method.request),
      responseSerialize: method.response.encode.bind(method.response),
      responseDeserialize: method.response.decode.bind(method.response),
    }
    const handler = methodHandler(implementation, key, method)
    handlers[key] =
      method.kind === 'stream' ? streamHandler(handler as StreamHandler) : callHandler(handler as CallHandler)
  }
  return [definition, handlers]
}

function callHandler(handler: CallHandler): handleUnaryCall<unknown, unknown> {
  return (call, respond) => {
    const cancelled = new AbortController()
    call.on('cancelled', () => cancelled.abort())
    handler(call.request, { signal: cancelled.signal }).then(
      (response) => respond(null, response),
      (error) => respond(grpcError(error)),
    )
  }
}

function streamHandler(handler: StreamHandler): handleServerStreamingCall<unknown, unknown> {
  return async (call) => {
    const cancelled = new AbortController()
    call.on('cancelled', () => cancelled.abort())
    try {
      for await (const response of handler(call.request, { signal: cancelled.signal })) {
        if (!call.write(response)) await drained(call, cancelled.signal)
      }
      call.end()
    } catch (error) {
      call.emit('error', grpcError(error))
    }
  }
}

function drained(call: { once(event: 'drain', listener: () => void): unknown }, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    call.once('drain', resolve)
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
}

function grpcError(error: unknown): { code: status; details: string } {
  if (error instanceof CriError) return { code: error.status, details: error.description }
  return { code: status.UNKNOWN, details: (error as Error).message }
}

/** Tells the socket file of a dead process, which may be replaced, from one that a process listens on. */
function isServed(socket: string): Promise<boolean> {
  return new Promise((resolve) => {
    const connection = connect(socket)
    const end = (served: boolean) => {
      connection.destroy()
      resolve(served)
    }
    connection.once('connect', () => end(true)).once('error', () => end(false))
  })
}
