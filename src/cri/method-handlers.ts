import { CriError } from './cri-error.js'
import type { PartialMessage } from './interface/message.js'
import type { AnyCriMethod, CallContext } from './interface/service.js'
import { imageService, type RuntimeImplementation, runtimeService } from './interface/services.js'

export type CallHandler = (request: unknown, context: CallContext) => Promise<PartialMessage<unknown>>
export type StreamHandler = (request: unknown, context: CallContext) => AsyncIterable<PartialMessage<unknown>>

/** How the runtime answers a procedure; with a refusal if it has none of that name. */
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

/** The words of gRPC for a procedure that a server does not have. */
function unimplemented({ name }: AnyCriMethod): CriError {
  return new CriError('Unimplemented', `unknown method ${name} for service ${serviceNameOf(name)}`)
}

function serviceNameOf(procedure: string): string {
  const inImages = Object.values<AnyCriMethod>(imageService.methods as unknown as Record<string, AnyCriMethod>)
  return inImages.some(({ name }) => name === procedure) ? imageService.name : runtimeService.name
}
