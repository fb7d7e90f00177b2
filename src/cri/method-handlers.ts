import { CriError } from './cri-error.js'
import type { PartialMessage } from './interface/message.js'
import type { AnyCriMethod, CallContext } from './interface/service.js'
import { imageService, type RuntimeImplementation, runtimeService } from './interface/services.js'

export type CallHandler = (request: unknown, context: CallContext) => Promise<PartialMessage<unknown>>
export type StreamHandler = (request: unknown, context: CallContext) => AsyncIterable<PartialMessage<unknown>>

/** Returns the runtime's handler of a method, or one that fails with `Unimplemented`. */
export function methodHandler(
  implementation: RuntimeImplementation,
  name: string,
  method: AnyCriMethod,
): CallHandler | StreamHandler {
  const found = implementation[name as keyof RuntimeImplementation] as CallHandler | StreamHandler | undefined
  if (found) return found.bind(implementation) as CallHandler | StreamHandler
  return method.kind === 'stream' ? () => throwUnimplemented(method) : async () => throwUnimplemented(method)
}

function throwUnimplemented(method: AnyCriMethod): never {
  throw unimplemented(method)
}

/** The error that gRPC servers return for a method that they do not have. */
function unimplemented({ name }: AnyCriMethod): CriError {
  return new CriError('Unimplemented', `unknown method ${name} for service ${serviceNameOf(name)}`)
}

function serviceNameOf(method: string): string {
  const inImages = Object.values<AnyCriMethod>(imageService.methods as unknown as Record<string, AnyCriMethod>)
  return inImages.some(({ name }) => name === method) ? imageService.name : runtimeService.name
}
